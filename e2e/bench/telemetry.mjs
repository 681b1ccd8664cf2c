// What exporting traces, metrics and logs costs one HEAD of a file, with one trace in a hundred sampled.
import { createServer } from 'node:http'
import { once } from 'node:events'
import { startServer } from '../fixtures/server.mjs'
import { cpuSeconds, load, median, row } from './measure.mjs'
import { hubClient, textFile } from './seed.mjs'

/** Two servers of equal settings differ by a tenth and more, by how their code is compiled: a figure is that of several. */
const PAIRS = 7
const WARM_ROUNDS = 3
const ROUNDS = 6
const REQUESTS = 2000

/** A collector that takes everything and keeps nothing. */
async function sink() {
  const server = createServer((request, response) => request.resume().on('end', () => response.end()))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() }
}

/** A server with one small file, and what one HEAD of it costs in microseconds. */
async function given(env) {
  const server = await startServer({ 'telemetry.log_level': 'warn' }, { env })
  const person = await server.newPerson('bench')
  const token = await person.token()
  const hub = hubClient(server.url, token)
  const repo = `${person.username}/files`
  await hub.create(repo)
  await hub.commit(repo, 'small', [textFile('config.json', '{}')])
  const url = `${server.url}/${repo}/resolve/main/config.json`
  const headers = { Authorization: `Bearer ${token}`, 'Accept-Encoding': 'identity' }
  const cost = async () => {
    const before = cpuSeconds(server.pid)
    await load({ url, headers, method: 'HEAD', total: REQUESTS, lanes: 8, status: 200 })
    return ((cpuSeconds(server.pid) - before) / REQUESTS) * 1e6
  }
  return { cost, stop: () => server.stop() }
}

/** What one HEAD costs a server that exports nothing, and one that exports, in microseconds. */
async function costsOfPair(env) {
  const servers = { without: await given({}), exporting: await given(env) }
  const sums = { without: 0, exporting: 0 }
  for (let i = 0; i < WARM_ROUNDS + ROUNDS; i++) {
    const order = Object.entries(servers)
    // The one that is measured first changes, so that whatever the machine does weighs on both alike.
    for (const [name, server] of i % 2 ? order : order.toReversed()) {
      const cost = await server.cost()
      if (i >= WARM_ROUNDS) sums[name] += cost
    }
  }
  await Promise.all(Object.values(servers).map((server) => server.stop()))
  return { without: sums.without / ROUNDS, exporting: sums.exporting / ROUNDS }
}

export async function telemetryCost() {
  const collector = await sink()
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.01',
  }
  const costs = { without: [], exporting: [] }
  for (let i = 0; i < PAIRS; i++) {
    const pair = await costsOfPair(env)
    for (const [name, cost] of Object.entries(pair)) costs[name].push(cost)
  }
  collector.close()
  const of = (name) => median(costs[name])
  const figure = of('exporting') / of('without')
  return row(
    'HEAD resolve while traces (1 %), metrics and logs are exported, CPU per request',
    `${of('exporting').toFixed(0)} µs`,
    `without ${of('without').toFixed(0)} µs`,
    figure,
    '≤ 1.05 ×',
    figure <= 1.05,
  )
}
