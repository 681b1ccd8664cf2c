import { after, before, test } from 'node:test'
import { commitAndKill } from './committers.mjs'
import { openStores } from './stores.mjs'

const workSeconds = Number(process.env['TOPOLOGY_COMMIT_SECONDS'] ?? 30)
const mode = process.env['TOPOLOGY_MODE'] ?? 'redirect'

let stores
before(async () => void (stores = await openStores()))
after(() => stores?.stop())

test(`twenty people commit for ${workSeconds} s while processes are killed: nothing acknowledged is lost, nothing is left`, async (t) => {
  const figures = await commitAndKill(stores, { workMs: workSeconds * 1000, mode })
  t.diagnostic(JSON.stringify(figures))
})
