// The alert rules and the dashboard as Prometheus itself reads them.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { ensurePrometheus, startPrometheus } from '../../api/dev/toolchain/prometheus.mjs'
import { freePort, startServer } from '../fixtures/server.mjs'

const monitoring = (name) => fileURLToPath(new URL(`../../deploy/monitoring/${name}`, import.meta.url))
const rules = monitoring('alerts.yaml')
let tools, server, prometheus, target

before(async () => {
  tools = await ensurePrometheus()
  target = `127.0.0.1:${await freePort()}`
  server = await startServer({
    'telemetry.metrics': 'prometheus',
    'telemetry.prometheus_listen': target,
  })
  prometheus = await startPrometheus(tools.prometheus, { targets: [target], rules, everyMs: 500 })
})
after(async () => {
  await prometheus?.stop()
  await server?.stop()
})

test('promtool accepts the rules', () => {
  const said = execFileSync(tools.promtool, ['check', 'rules', rules], { encoding: 'utf8' })
  assert.match(said, /SUCCESS: [1-9]\d* rules found/)
})

test('promtool finds nothing wrong with the metrics', async () => {
  const input = await (await fetch(`http://${target}/metrics`)).text()
  execFileSync(tools.promtool, ['check', 'metrics'], { input, encoding: 'utf8' })
})

test('Prometheus scrapes the server, and no alert fires on a healthy one', async () => {
  await scraped()
  assert.deepEqual(
    (await prometheus.targets()).map(({ health, lastError }) => [health, lastError]),
    [['up', '']],
  )
  // The disk of the machine that runs the tests is not ours to judge.
  const fired = (await prometheus.fired()).filter((name) => !name.startsWith('ArsenalDisk'))
  assert.deepEqual(fired, [])
})

test('Prometheus evaluates every query of the dashboard', async () => {
  await scraped()
  const { panels } = JSON.parse(readFileSync(monitoring('dashboard.json'), 'utf8'))
  const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
  assert.ok(queries.length > 10)
  for (const query of queries) {
    // As Grafana does for the chosen range.
    const result = await prometheus.query(
      query.replaceAll('$job', 'arsenal').replaceAll('$__rate_interval', '1m').replaceAll('$__range', '1h'),
    )
    assert.ok(Array.isArray(result), query)
  }
})

/** Waits until two scrapes are in, which a rate needs. */
async function scraped() {
  for (let i = 0; i < 100; i++) {
    const [up] = await prometheus.query('count_over_time(up{job="arsenal"}[1h])')
    if (Number(up?.value[1]) >= 2) return
    await pause(100)
  }
  assert.fail('Prometheus did not scrape the server')
}
