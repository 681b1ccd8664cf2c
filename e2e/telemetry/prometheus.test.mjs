// The metrics as Prometheus reads them, with the parser of its own Python client.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { after, before, test } from 'node:test'
import { freePort, startServer } from '../fixtures/server.mjs'

const parse = `
import json, sys
from prometheus_client.parser import text_string_to_metric_families
families = text_string_to_metric_families(sys.stdin.read())
print(json.dumps({f.name: [[s.name, s.labels, s.value] for s in f.samples] for f in families}))
`
let server, port
before(async () => {
  port = await freePort()
  server = await startServer({
    'telemetry.metrics': 'prometheus',
    'telemetry.prometheus_listen': `127.0.0.1:${port}`,
  })
})
after(() => server?.stop())

const ask = (path, init) => fetch(`http://127.0.0.1:${port}${path}`, init)
async function scrape() {
  const input = await (await ask('/metrics')).text()
  return JSON.parse(
    execFileSync(process.env.ARSENAL_PROMETHEUS_PYTHON, ['-c', parse], { input, encoding: 'utf8' }),
  )
}

test('every promised metric is read, with the suffix of its unit', async () => {
  await fetch(`${server.url}/api/models`)
  const families = await scrape()
  for (const name of [
    'http_server_request_duration_seconds',
    'arsenal_requests_active',
    'arsenal_requests_waiting',
    'arsenal_requests_refused',
    'arsenal_blob_errors',
    'arsenal_transfer_bytes',
    'arsenal_jobs_queued',
    'arsenal_jobs_running',
    'arsenal_jobs_age_seconds',
    'arsenal_jobs_lease_lost',
    'arsenal_gc_marked',
    'arsenal_gc_deleted',
    'arsenal_gc_aborted',
    'arsenal_scrub_corrupt',
    'arsenal_auth_failures',
    'arsenal_ssrf_blocked',
    'arsenal_webhook_deliveries',
    'arsenal_store_free_bytes',
    'arsenal_store_used_bytes',
    'nodejs_eventloop_delay_p99_seconds',
  ])
    assert.ok(families[name]?.length > 0, `${name} of ${Object.keys(families)}`)
})

test('a refused credential is counted', async () => {
  const failures = async () => {
    const { arsenal_auth_failures: samples } = await scrape()
    return samples.find(([, { reason }]) => reason === 'credentials')[2]
  }
  const before = await failures()
  const headers = { Authorization: 'Bearer hf_wrong' }
  assert.equal((await fetch(`${server.url}/api/whoami-v2`, { headers })).status, 401)
  assert.equal(await failures(), before + 1)
})

test('labels do not grow with what callers send', async () => {
  await Promise.all(Array.from({ length: 50 }, (_, i) => fetch(`${server.url}/api/models/absent/repo-${i}`)))
  const { http_server_request_duration_seconds: samples } = await scrape()
  const routes = new Set(samples.map(([, labels]) => labels.http_route))
  assert.ok(![...routes].some((route) => route.includes('repo-')), [...routes].join(' '))
})

test('the port answers nothing but metrics, and the server itself none', async () => {
  assert.equal((await ask('/')).status, 404)
  assert.equal((await ask('/api/models')).status, 404)
  assert.equal((await ask('/metrics', { method: 'POST' })).status, 405)
  assert.notEqual(
    (await fetch(`${server.url}/metrics`)).headers.get('content-type')?.startsWith('text/plain'),
    true,
  )
})

test('a caller that is no trusted proxy does not choose its trace', async () => {
  const log = server.log()
  assert.ok(!log.includes('"trace_id":"0123456789abcdef0123456789abcdef"'))
  const traceparent = '00-0123456789abcdef0123456789abcdef-0123456789abcdef-01'
  const answer = await fetch(`${server.url}/api/models/absent/none`, { headers: { traceparent } })
  assert.ok(answer.status >= 400)
  const line = server
    .log()
    .split('\n')
    .findLast((each) => each.includes('/api/models/absent/none'))
  assert.match(JSON.parse(line).trace_id, /^[0-9a-f]{32}$/)
  assert.notEqual(JSON.parse(line).trace_id, '0123456789abcdef0123456789abcdef')
})
