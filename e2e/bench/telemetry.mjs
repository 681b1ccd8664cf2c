// What exporting traces, metrics and logs costs one HEAD of a file, with one trace in a hundred sampled.
import { createServer } from 'node:http'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { startServer } from '../fixtures/server.mjs'
import { cpuSeconds, load, row } from './measure.mjs'
import { hubClient, textFile } from './seed.mjs'

const source = fileURLToPath(new URL('../../api/main.ts', import.meta.url))
const switching = new URL('switched-telemetry.mjs', import.meta.url).href

/** Requests of one round: a machine's speed may change by half from one second to the next, so that rounds are short and many. */
const REQUESTS = 1000
/** V8 has compiled what is used by then. */
const WARM_ROUNDS = 40
const ROUNDS = 800

/** A collector that takes everything and keeps nothing. */
async function sink() {
  const server = createServer((request, response) => request.resume().on('end', () => response.end()))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() }
}

/**
 * What one HEAD costs a server that exports and one that does not, in microseconds. It is one process, which is switched
 * between rounds: two of equal settings differ by a tenth, by how their code happens to be compiled.
 */
async function costs(env) {
  const options = { entry: source, env: { ...env, NODE_OPTIONS: `--import=${switching}` } }
  const server = await startServer({ 'telemetry.log_level': 'warn' }, options)
  const person = await server.newPerson('bench')
  const token = await person.token()
  const hub = hubClient(server.url, token)
  const repo = `${person.username}/files`
  await hub.create(repo)
  await hub.commit(repo, 'small', [textFile('config.json', '{}')])
  const url = `${server.url}/${repo}/resolve/main/config.json`
  const headers = { Authorization: `Bearer ${token}`, 'Accept-Encoding': 'identity' }
  const sums = { exporting: 0, without: 0 }
  for (let i = 0; i < WARM_ROUNDS + ROUNDS; i++) {
    const before = cpuSeconds(server.pid)
    await load({ url, headers, method: 'HEAD', total: REQUESTS, lanes: 8, status: 200 })
    const cost = cpuSeconds(server.pid) - before
    if (i >= WARM_ROUNDS) sums[i % 2 ? 'without' : 'exporting'] += cost
    process.kill(server.pid, 'SIGUSR2')
  }
  await server.stop()
  const perRequest = (sum) => (sum / (REQUESTS * (ROUNDS / 2))) * 1e6
  return { exporting: perRequest(sums.exporting), without: perRequest(sums.without) }
}

export async function telemetryCost() {
  const collector = await sink()
  const { exporting, without } = await costs({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.01',
  })
  collector.close()
  const figure = exporting / without
  return row(
    'HEAD resolve while traces (1 %), metrics and logs are exported, CPU per request',
    `${exporting.toFixed(1)} µs`,
    `without ${without.toFixed(1)} µs`,
    figure,
    '≤ 1.05 ×',
    figure <= 1.05,
  )
}
