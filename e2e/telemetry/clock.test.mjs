// A server whose clock is not that of its bucket: Prometheus fires the alert, and files are stored all the same.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { ensureFaketime } from '../../api/dev/toolchain/faketime.mjs'
import { ensurePrometheus, startPrometheus } from '../../api/dev/toolchain/prometheus.mjs'
import { freePort, startServer } from '../fixtures/server.mjs'
import { openPlace, openStores } from '../topology/stores.mjs'

const rules = fileURLToPath(new URL('../../deploy/monitoring/alerts.yaml', import.meta.url))
const alert = 'ArsenalClockOff'
let stores, place, settings, lib, prometheus

before(async () => {
  stores = await openStores()
  place = await openPlace(stores)
  lib = await ensureFaketime()
  prometheus = (await ensurePrometheus()).prometheus
  // Beside SQLite the clock of the bucket is the only other one.
  settings = Object.fromEntries(
    Object.entries(place.settings).filter(([key]) => !key.startsWith('database.')),
  )
})
after(async () => {
  await place?.remove()
  await stores?.stop()
})

/** Runs `look` with a server whose clock is that many hours ahead, and a Prometheus that has scraped it. */
async function withClock(hours, look) {
  const target = `127.0.0.1:${await freePort()}`
  const telemetry = { 'telemetry.metrics': 'prometheus', 'telemetry.prometheus_listen': target }
  const env = {
    LD_PRELOAD: lib,
    FAKETIME: `${hours < 0 ? '' : '+'}${hours}h`,
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  }
  const server = await startServer(
    { ...settings, ...telemetry, 'storage.s3.prefix': `clock${hours}` },
    { env },
  )
  try {
    const seen = await startPrometheus(prometheus, { targets: [target], rules, everyMs: 500 })
    try {
      let found = []
      for (let i = 0; i < 200 && found.length === 0; i++) {
        found = await seen.query('arsenal_clock_skew_seconds')
        await pause(100)
      }
      assert.equal(found.length, 1)
      await look({ server, seen, seconds: Number(found[0].value[1]) })
    } finally {
      await seen.stop()
    }
  } finally {
    await server.stop()
  }
}

for (const hours of [1, -1])
  test(`a clock ${hours} h ahead of the bucket's fires the alert, and files are stored`, () =>
    withClock(hours, async ({ server, seen, seconds }) => {
      assert.ok(Math.abs(seconds - 3600) < 60, `${seconds} s`)
      let fired = []
      for (let i = 0; i < 200 && !fired.includes(alert); i++) {
        fired = await seen.fired()
        await pause(100)
      }
      assert.ok(fired.includes(alert), fired.join(', '))
      const admin = await server.login()
      const repo = '/repos/models/service-admin/skewed'
      await admin.native('POST', '/repos', { type: 'model', ns: 'service-admin', name: 'skewed' })
      const operations = [{ op: 'add', path: 'a.txt', text: 'a' }]
      await admin.native('POST', `${repo}/commits`, { title: 'a', operations })
      const headers = { Authorization: `Bearer ${await admin.token()}` }
      const answer = await fetch(`${server.url}/service-admin/skewed/resolve/main/a.txt`, { headers })
      assert.equal(await answer.text(), 'a')
    }))

test('a clock that is right fires nothing', () =>
  withClock(0, async ({ seen, seconds }) => {
    assert.ok(seconds < 30, `${seconds} s`)
    await pause(2000)
    assert.ok(!(await seen.fired()).includes(alert))
  }))
