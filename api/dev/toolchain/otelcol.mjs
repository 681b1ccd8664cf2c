// An OpenTelemetry collector with what the tests need: it receives OTLP and sends JSON to a given address.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SetupError } from '../run.mjs'
import { contentHash } from '../stamps.mjs'
import { cached } from './cache.mjs'
import { buildGo, requireGo } from './go.mjs'
import { freePort } from './postgres.mjs'

const source = 'api/dev/toolchain/otelcol'
/** What its modules ask for. */
const leastGo = [1, 26]
const startDeadlineMs = 60_000

/** Makes sure that it is in the cache, which takes some minutes the first time; answers the program. */
export async function ensureOtelcol() {
  const hash = contentHash(['main.go', 'go.mod', 'go.sum'].map((name) => `${source}/${name}`))
  const folder = await cached(`otelcol-${hash}`, async (made) => {
    await requireGo('the tests build a collector of OpenTelemetry, which', leastGo)
    await buildGo(source, join(made, 'otelcol'))
  })
  return join(folder, 'otelcol')
}

/** Starts it. `forwardTo` is the URL that it sends JSON to, under `/v1/traces`, `/v1/metrics` and `/v1/logs`. */
export async function startOtelcol(program, forwardTo) {
  const port = await freePort()
  const pipeline = { receivers: ['otlp'], exporters: ['otlp_http'] }
  const config = {
    receivers: { otlp: { protocols: { http: { endpoint: `127.0.0.1:${port}` } } } },
    exporters: {
      otlp_http: {
        endpoint: forwardTo,
        encoding: 'json',
        compression: 'none',
        sending_queue: { enabled: false },
      },
    },
    service: {
      pipelines: { traces: pipeline, metrics: pipeline, logs: pipeline },
    },
  }
  // JSON is YAML.
  const child = spawn(program, ['--config', `yaml:${JSON.stringify(config)}`], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let log = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => (log = (log + text).slice(-8000)))
  const ended = once(child, 'close')
  const url = `http://127.0.0.1:${port}`
  const deadline = Date.now() + startDeadlineMs
  while (!(await answers(url))) {
    if (child.exitCode !== null || Date.now() > deadline)
      throw new SetupError(`the collector did not start:\n${log}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
  }
  return { url, stop, log: () => log }
}

const answers = (url) =>
  fetch(url).then(
    (response) => response.text().then(() => true),
    () => false,
  )

if (process.argv[1] === fileURLToPath(import.meta.url)) process.stdout.write(`${await ensureOtelcol()}\n`)
