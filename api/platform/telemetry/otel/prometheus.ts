import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus'
import type { MetricProducer, ResourceMetrics } from '@opentelemetry/sdk-metrics'

/** Suffixes of names by unit, as the mapping of OpenTelemetry to Prometheus has them; the exporter adds only `_total`. */
const suffixes: Record<string, { name: RegExp; suffix: string; unit: string }> = {
  s: { name: /seconds$/, suffix: '.seconds', unit: 'seconds' },
  By: { name: /bytes$/, suffix: '.bytes', unit: 'bytes' },
}

function withUnits(metrics: ResourceMetrics): ResourceMetrics {
  return {
    ...metrics,
    scopeMetrics: metrics.scopeMetrics.map((scope) => ({
      ...scope,
      metrics: scope.metrics.map((metric) => {
        const { name, unit } = metric.descriptor
        const rule = suffixes[unit]
        const full = rule && !rule.name.test(name) ? `${name}${rule.suffix}` : name
        return { ...metric, descriptor: { ...metric.descriptor, name: full, unit: rule?.unit ?? '' } }
      }),
    })),
  }
}

function portOf(listen: string): { host: string | undefined; port: number } {
  const at = listen.lastIndexOf(':')
  return {
    host: listen.slice(0, at).replace(/^\[|\]$/g, '') || undefined,
    port: Number(listen.slice(at + 1)),
  }
}

/** The metrics for Prometheus on a port of their own: `/metrics` and nothing else, without credentials. */
export async function answerPrometheus(listen: string, metricProducers: MetricProducer[]) {
  const reader = new PrometheusExporter({ preventServerStart: true, metricProducers })
  const serializer = new PrometheusSerializer(undefined, false, undefined, false, true)
  const server = createServer((request, response) => {
    const [path] = (request.url ?? '').split('?')
    const status = path !== '/metrics' ? 404 : ['GET', 'HEAD'].includes(request.method ?? '') ? 200 : 405
    const reply = (code: number, text: string) => {
      response.writeHead(code, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' })
      response.end(request.method === 'HEAD' ? undefined : text)
    }
    if (status !== 200) return reply(status, status === 404 ? 'The metrics are at /metrics.\n' : 'Use GET.\n')
    reader.collect().then(
      ({ resourceMetrics }) => reply(200, serializer.serialize(withUnits(resourceMetrics))),
      (error: Error) => reply(500, `${error.message}\n`),
    )
  })
  server.requestTimeout = 30_000
  const { host, port } = portOf(listen)
  server.listen({ port, ...(host !== undefined && { host }) })
  await once(server, 'listening')
  server.unref()
  return { reader, address: addressOf(server), close: () => closed(server) }
}

function addressOf(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo
  return `${family === 'IPv6' ? `[${address}]` : address}:${port}`
}

async function closed(server: Server): Promise<void> {
  const ended = once(server, 'close')
  server.close()
  server.closeAllConnections()
  await ended
}
