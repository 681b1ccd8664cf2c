import { randomUUID } from 'node:crypto'
import { diag, DiagLogLevel, type Attributes } from '@opentelemetry/api'
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-proto'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import {
  detectResources,
  envDetector,
  hostDetector,
  processDetector,
  resourceFromAttributes,
  type Resource,
} from '@opentelemetry/resources'
import {
  BatchLogRecordProcessor,
  ConsoleLogRecordExporter,
  LoggerProvider,
  SimpleLogRecordProcessor,
} from '@opentelemetry/sdk-logs'
import {
  AggregationTemporality,
  ConsoleMetricExporter,
  InstrumentType,
  MeterProvider,
  PeriodicExportingMetricReader,
  type IMetricReader,
} from '@opentelemetry/sdk-metrics'
import {
  BatchSpanProcessor,
  ConsoleSpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node'
import type { Exporters } from '../exporters.ts'
import type { Logger } from '../logger.ts'
import type { Started } from '../started.ts'
import { Durations } from './durations.ts'
import { ids } from './ids.ts'
import { Instruments } from './instruments.ts'
import { logRecords } from './log-records.ts'
import { exportingTelemetry } from './observe.ts'
import { answerPrometheus } from './prometheus.ts'
import { noSampling, samplingOf } from './sampler.ts'

interface SdkOptions {
  exporters: Exporters
  env: Record<string, string | undefined>
  prometheusListen: string
  attributes: Attributes
  redact: (text: string) => string
  log: Logger
}

const SCOPE = 'arsenal'
/** What is not sent by then is dropped: a collector that hangs must not keep the process. */
const STOP_MS = 5000
const COMPLAINT_MS = 60_000

/** Names what `telemetry.*` says; `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` win. */
function resourceOf(attributes: Attributes): Resource {
  // The command line may hold values of `--set`, so of the process only its id and its runtime are exported.
  const { attributes: found } = detectResources({ detectors: [hostDetector, processDetector] })
  const kept = ['host.name', 'host.arch', 'process.pid', 'process.runtime.name', 'process.runtime.version']
  const own = Object.fromEntries(Object.entries(found).filter(([name]) => kept.includes(name)))
  return resourceFromAttributes({ 'service.instance.id': randomUUID(), ...own, ...attributes }).merge(
    detectResources({ detectors: [envDetector] }),
  )
}

/** What the libraries complain of, once a minute at most, and never as an exported record: that would fail as well. */
function listenToComplaints(log: Logger): void {
  let saidAt = -Infinity
  const say = (text: string) => {
    if (performance.now() - saidAt < COMPLAINT_MS) return
    saidAt = performance.now()
    log.warn({ reason: text.slice(0, 500), exported: false }, 'telemetry could not be exported')
  }
  const quiet = () => undefined
  const logger = { error: say, warn: say, info: quiet, debug: quiet, verbose: quiet }
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true })
}

const numberOf = (text: string | undefined, usual: number) => {
  const value = Number(text)
  return text !== undefined && text !== '' && value > 0 ? value : usual
}

interface ReaderWithDurations {
  reader: IMetricReader
  durations: Durations
}

function metricReaders(names: Exporters['metrics'], env: SdkOptions['env']): ReaderWithDurations[] {
  const intervalMs = numberOf(env['OTEL_METRIC_EXPORT_INTERVAL'], 60_000)
  const timeoutMs = Math.min(intervalMs, numberOf(env['OTEL_METRIC_EXPORT_TIMEOUT'], 30_000))
  const every = { exportIntervalMillis: intervalMs, exportTimeoutMillis: timeoutMs }
  return names.flatMap((name) => {
    if (name === 'prometheus') return []
    const exporter =
      name === 'otlp'
        ? new OTLPMetricExporter()
        : new ConsoleMetricExporter({ temporalitySelector: () => AggregationTemporality.CUMULATIVE })
    const durations = new Durations(SCOPE, exporter.selectAggregationTemporality(InstrumentType.HISTOGRAM))
    const reader = new PeriodicExportingMetricReader({ exporter, metricProducers: [durations], ...every })
    return [{ reader, durations }]
  })
}

/**
 * Starts the exporters. Nothing is registered globally: several servers of one process report apart. Rejects where the
 * address for Prometheus is taken.
 */
export async function startSdk(options: SdkOptions): Promise<Started> {
  const { exporters, env, redact, log } = options
  listenToComplaints(log)
  const resource = resourceOf(options.attributes)
  // The id of the host is read from a file; exporters complain when they are asked before it is there.
  await resource.waitForAsyncAttributes?.()
  const sampling = exporters.traces.length === 0 ? noSampling : samplingOf(env)
  const tracerProvider = new NodeTracerProvider({
    resource,
    idGenerator: ids,
    sampler: sampling.sampler,
    spanProcessors: exporters.traces.map((name) =>
      name === 'otlp'
        ? new BatchSpanProcessor(new OTLPTraceExporter())
        : new SimpleSpanProcessor(new ConsoleSpanExporter()),
    ),
  })
  const scraped = new Durations(SCOPE)
  const prometheus = exporters.metrics.includes('prometheus')
    ? await answerPrometheus(options.prometheusListen, [scraped])
    : undefined
  const readers: ReaderWithDurations[] = metricReaders(exporters.metrics, env)
  if (prometheus) readers.push({ reader: prometheus.reader, durations: scraped })
  const meterProvider = new MeterProvider({ resource, readers: readers.map(({ reader }) => reader) })
  const instruments = new Instruments(
    meterProvider.getMeter(SCOPE),
    readers.map(({ durations }) => durations),
    log,
  )
  const loggerProvider = new LoggerProvider({
    resource,
    processors: exporters.logs.map((name) =>
      name === 'otlp'
        ? new BatchLogRecordProcessor({ exporter: new OTLPLogExporter() })
        : new SimpleLogRecordProcessor({ exporter: new ConsoleLogRecordExporter() }),
    ),
  })
  const providers = [tracerProvider, meterProvider, loggerProvider]
  return {
    telemetry: exportingTelemetry({
      tracer: tracerProvider.getTracer(SCOPE),
      share: sampling.share,
      instruments,
      redact,
    }),
    ...(prometheus && { prometheus: prometheus.address }),
    ...(exporters.logs.length > 0 && { takeLine: logRecords(loggerProvider.getLogger(SCOPE)) }),
    async stop() {
      instruments.close()
      const sent = Promise.allSettled(providers.map((provider) => provider.shutdown()))
      let timer: NodeJS.Timeout | undefined
      await Promise.race([sent, new Promise((resolve) => (timer = setTimeout(resolve, STOP_MS)))])
      clearTimeout(timer)
      await prometheus?.close()
    },
  }
}
