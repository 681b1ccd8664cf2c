// A deployment of two `web` and two `worker` processes is disturbed for half an hour in each of five ways. Nothing that was
// acknowledged is lost, it recovers by itself, and the alerts fire.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { ensureFaketime } from '../../../api/dev/toolchain/faketime.mjs'
import { startPostgres } from '../../../api/dev/toolchain/postgres.mjs'
import { ensureVersitygw, startS3 } from '../../../api/dev/toolchain/s3.mjs'
import { freePort } from '../../fixtures/server.mjs'
import { Caller } from '../../topology/caller.mjs'
import { FaultProxy } from '../../topology/fault-proxy.mjs'
import { Topology } from '../../topology/topology.mjs'
import { madeOn, writeRow } from '../page.mjs'
import { startAlerts } from './alerts.mjs'
import { disturbances } from './disturbances.mjs'
import { Ledger } from './ledger.mjs'

const wholeMinutes = 30
const minutes = Number(process.env['CHAOS_MINUTES'] ?? wholeMinutes)
const share = Math.min(1, minutes / wholeMinutes)
const only = process.env['CHAOS_ONLY']
/** Small enough to be filled, large enough for what people send. */
const diskMib = 1024
/** After a disturbance has ended. */
const recoveryMs = 120_000

const settings = {
  'jobs.lease': '10s',
  'git.compact_threshold': '5',
  'storage.s3.retries': '2',
  'storage.s3.stall_timeout': '5s',
  'telemetry.metrics': 'prometheus',
}

/** A clock that processes look at: `set(seconds)` moves it. */
async function openClock(folder) {
  const file = join(folder, 'clock')
  const set = (seconds) => writeFileSync(file, `${seconds < 0 ? '' : '+'}${seconds}s`)
  set(0)
  const env = {
    LD_PRELOAD: await ensureFaketime(),
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_CACHE_DURATION: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  }
  return { set, env }
}

/** A disk of its own; needs root, as in a container. */
function mountDisk(folder) {
  const disk = join(folder, 'disk')
  mkdirSync(disk)
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${diskMib}m`, 'tmpfs', disk])
  return disk
}

/**
 * What one disturbance needs. Files on a disk that gets full are in a folder that all processes share. What was started is
 * stopped when a later part does not start.
 */
async function open({ isDisk, isClock }) {
  const stops = []
  const stop = async () => {
    for (const each of stops.splice(0).toReversed()) await each()
  }
  try {
    const folder = mkdtempSync(join(tmpdir(), 'arsenal-chaos-'))
    stops.push(() => rmSync(folder, { recursive: true, force: true }))
    const disk = isDisk ? mountDisk(folder) : undefined
    if (disk) stops.push(() => execFileSync('umount', [disk]))
    const postgres = await startPostgres({ isDurable: true })
    stops.push(() => postgres.stop())
    const s3 = await startS3({ versitygw: await ensureVersitygw() })
    stops.push(() => s3.stop())
    const store = /(?:^|,)versitygw=([^,]+)/.exec(s3.urls)?.[1] ?? ''
    const way = await FaultProxy.start(store)
    stops.push(() => way.stop())
    const clock = await openClock(folder)
    const listens = new Map()
    for (const name of ['web-1', 'web-2', 'worker-3', 'worker-4'])
      listens.set(name, `127.0.0.1:${await freePort()}`)
    const topology = await Topology.start(
      { postgres: postgres.url, s3: store },
      {
        mode: 'proxy',
        dir: join(disk ?? folder, 'data'),
        settings: {
          ...settings,
          'storage.s3.endpoint': way.url,
          ...(disk && { 'storage.backend': 'fs', 'storage.fs.path': join(disk, 'blobs') }),
        },
        ofProcess: (name) => ({
          settings: { 'telemetry.prometheus_listen': listens.get(name) },
          ...(isClock && ['web-1', 'worker-3'].includes(name) && { env: clock.env }),
        }),
      },
    )
    stops.push(() => topology.stop())
    const alerts = await startAlerts({ targets: [...listens.values()], share, folder })
    stops.push(() => alerts.stop())
    return { folder, postgres, way, clock, disk, topology, alerts, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

for (const [name, { alert, disturb }] of Object.entries(disturbances)) {
  if (only && !name.includes(only)) continue
  test(`${name}, for ${minutes} minutes`, async (t) => {
    const scene = await open({ isDisk: name.includes('disk'), isClock: name.includes('clocks') })
    const { topology, alerts } = scene
    try {
      const pids = topology.processes.map(({ pid }) => pid)
      const caller = await Caller.of(topology)
      const ledger = new Ledger(caller)
      await ledger.begin()
      const over = AbortSignal.timeout(minutes * 60_000)
      await Promise.all([ledger.work(over), disturb({ ...scene, over, share })])
      await recovered(topology, caller)
      await ledger.read()
      assert.deepEqual(
        topology.processes.map(({ pid, isRunning }) => isRunning && pid),
        pids,
        'a process has ended',
      )
      assert.equal((await topology.cli(['fsck', '--deep'])).trim(), '')
      const fired = await alerts.fired()
      const { files, repos, answers } = ledger
      t.diagnostic(JSON.stringify({ files: files.size, repos: repos.length, answers, fired }))
      assert.ok(files.size > 0)
      assert.ok(fired.includes(alert), `${alert} did not fire, of ${fired.join(', ')}`)
      if (minutes >= wholeMinutes) writeFigures(name, { files, repos, answers, fired })
    } catch (error) {
      t.diagnostic(topology.log().slice(-4000))
      throw error
    } finally {
      await scene.stop()
    }
  })
}

/** Waits until a change is taken at the first attempt and no job that is due waits, which needs no hand of ours. */
async function recovered(topology, caller) {
  const deadline = Date.now() + recoveryMs
  const repo = await caller.givenRepo()
  await caller.commit(repo, [{ op: 'add', path: 'after.txt', text: 'after' }])
  for (;;) {
    const [{ count }] = await topology.place.query(
      `SELECT count(*)::int AS count FROM jobs WHERE status = 'running' OR (status = 'queued' AND run_after <= now())`,
    )
    if (count === 0) return
    assert.ok(Date.now() < deadline, `${count} jobs are still to be done`)
    await pause(500)
  }
}

function writeFigures(name, { files, repos, answers, fired }) {
  const refused = Object.entries(answers).filter(([status]) => !status.startsWith('2'))
  const row = {
    disturbance: name,
    run: madeOn(),
    minutes,
    'changes acknowledged': files.size + repos.length,
    'refused for now': refused
      .map(([status, count]) => `${count} × ${status === '0' ? 'cut' : status}`)
      .join(', '),
    'alerts that fired': fired.join(', '),
    'lost, fsck findings': '0, 0',
  }
  writeRow('chaos', Object.keys(row), Object.values(row))
}
