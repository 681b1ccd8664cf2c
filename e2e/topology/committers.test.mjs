import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { madeOn, writeRow } from '../soak/page.mjs'
import { commitAndKill } from './committers.mjs'
import { openStores } from './stores.mjs'

const workSeconds = Number(process.env['TOPOLOGY_COMMIT_SECONDS'] ?? 30)
const mode = process.env['TOPOLOGY_MODE'] ?? 'redirect'
/** From here on it is a soak, whose figures are kept. */
const soakSeconds = 1800

let stores
before(async () => void (stores = await openStores()))
after(() => stores?.stop())

test(`twenty people commit for ${workSeconds} s while processes are killed: nothing acknowledged is lost, nothing is left`, async (t) => {
  const figures = await commitAndKill(stores, { workMs: workSeconds * 1000, mode })
  t.diagnostic(JSON.stringify(figures))
  // Else it has shown nothing of them.
  for (const work of ['commits', 'kills', 'prunes', 'compactions']) assert.ok(figures[work] > 0, work)
  if (workSeconds >= soakSeconds) writeFigures(figures)
})

function writeFigures(figures) {
  const { commits, kills, sweeps, prunes, compactions, deletedPacks, deletedLargeFiles } = figures
  const row = {
    bytes: mode === 'redirect' ? 'straight to the bucket' : 'through the service',
    run: madeOn(),
    minutes: workSeconds / 60,
    'commits acknowledged': commits,
    kills,
    gc: sweeps,
    prunes,
    compactions,
    'packs deleted': deletedPacks,
    'large files deleted': deletedLargeFiles,
    'lost, orphans, fsck findings': '0, 0, 0',
  }
  writeRow('many processes', Object.keys(row), Object.values(row))
}
