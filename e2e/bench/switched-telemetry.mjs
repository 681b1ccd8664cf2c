// Preloaded into a server that exports: SIGUSR2 has it report nothing, as one that exports nothing, and the next export again.
import * as modules from 'node:module'

/** Of Node 22.15 and later; the types are those of 20. */
const { registerHooks } = /** @type {any} */ (modules)

const start = '/api/platform/telemetry/start.ts'
const switched = `
  import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
  import { startTelemetry as startReal } from './start.ts?real'
  import { noTelemetry } from './telemetry.ts'
  import { slowCalls } from './slow-calls.ts'

  export async function startTelemetry(config, options) {
    const started = await startReal(config, options)
    const silent = slowCalls(options.log)
    let current = started.telemetry
    // Spans are sent every five seconds: that too is a cost of exporting, so it waits until that is on.
    const held = []
    const send = OTLPTraceExporter.prototype.export
    OTLPTraceExporter.prototype.export = function (...batch) {
      if (current === silent) held.push(() => send.apply(this, batch))
      else send.apply(this, batch)
    }
    process.on('SIGUSR2', () => {
      current = current === silent ? started.telemetry : silent
      if (current !== silent) for (const sendHeld of held.splice(0)) sendHeld()
    })
    const telemetry = {
      get beginRequest() {
        return current.beginRequest
      },
      get observe() {
        return current.observe
      },
      get begin() {
        return current.begin
      },
      gauge: started.telemetry.gauge,
    }
    return { ...started, telemetry }
  }
`

registerHooks({
  load: (url, context, next) =>
    url.endsWith(start) ? { format: 'module', shortCircuit: true, source: switched } : next(url, context),
})
