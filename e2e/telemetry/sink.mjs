// Where a collector sends what it received, as JSON of OTLP.
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { listen } from '../fixtures/listen.mjs'

const deadlineMs = 60_000

/** Answers { url, spans, records, metrics, raw, until, stop }; each list grows as signals come in. */
export async function openSink() {
  const sink = { spans: [], records: [], metrics: new Map(), raw: [] }
  const server = createServer(async (request, response) => {
    const body = /** @type {any} */ (await json(request))
    sink.raw.push(JSON.stringify(body))
    for (const { resource, scopeSpans } of body.resourceSpans ?? [])
      for (const { spans } of scopeSpans)
        sink.spans.push(...spans.map((span) => ({ ...span, resource: named(resource.attributes) })))
    for (const { resource, scopeLogs } of body.resourceLogs ?? [])
      for (const { logRecords } of scopeLogs)
        sink.records.push(
          ...logRecords.map((record) => ({ ...record, resource: named(resource.attributes) })),
        )
    for (const { scopeMetrics } of body.resourceMetrics ?? [])
      for (const { metrics } of scopeMetrics)
        for (const metric of metrics) sink.metrics.set(metric.name, metric)
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}')
  })
  const port = await listen(server)
  return Object.assign(sink, {
    url: `http://127.0.0.1:${port}`,
    /** Answers what `find` finds once it does. */
    async until(what, find) {
      const deadline = Date.now() + deadlineMs
      for (;;) {
        const found = find(sink)
        if (found) return found
        if (Date.now() > deadline)
          throw new Error(
            `${what} did not arrive; there are ${[...new Set(sink.spans.map(({ name }) => name))].join(', ')}`,
          )
        await pause(100)
      }
    },
    stop: () => new Promise((resolve) => server.close(resolve)),
  })
}

/** Attributes by name. */
export function named(attributes = []) {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
}
