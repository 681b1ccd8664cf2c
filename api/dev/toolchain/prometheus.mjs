// Prometheus, which scrapes our metrics and evaluates our alert rules.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SetupError } from '../run.mjs'
import { aptUnpack } from './apt.mjs'
import { cached } from './cache.mjs'
import { freePort } from './postgres.mjs'

const startDeadlineMs = 60_000

/** Debian's programs: { prometheus, promtool }. Its package would start a server if it were installed. */
export async function ensurePrometheus() {
  const folder = await cached('prometheus-of-debian', (made) => aptUnpack('prometheus', made))
  const bin = join(folder, 'usr', 'bin')
  return { prometheus: join(bin, 'prometheus'), promtool: join(bin, 'promtool') }
}

/**
 * Starts one that scrapes `targets` (host:port) every `everyMs` as the job `arsenal`, and evaluates the rules of a file.
 * @param {string} program
 * @param {{ targets: string[], rules: string, everyMs: number }} options
 */
export async function startPrometheus(program, { targets, rules, everyMs }) {
  const folder = await mkdtemp(join(tmpdir(), 'arsenal-prometheus-'))
  const port = await freePort()
  const interval = `${everyMs}ms`
  const config = {
    global: { scrape_interval: interval, scrape_timeout: interval, evaluation_interval: interval },
    rule_files: [rules],
    scrape_configs: [{ job_name: 'arsenal', static_configs: [{ targets }] }],
  }
  // JSON is YAML.
  await writeFile(join(folder, 'prometheus.yml'), JSON.stringify(config))
  const flags = { 'config.file': join(folder, 'prometheus.yml'), 'storage.tsdb.path': join(folder, 'data') }
  const args = Object.entries({ ...flags, 'web.listen-address': `127.0.0.1:${port}` })
  const child = spawn(
    program,
    args.map(([name, value]) => `--${name}=${value}`),
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  let log = ''
  child.stderr.on('data', (text) => (log = (log + text).slice(-8000)))
  const ended = once(child, 'close')
  const url = `http://127.0.0.1:${port}`
  const isReady = () =>
    fetch(`${url}/-/ready`).then(
      (answer) => answer.ok,
      () => false,
    )
  for (const deadline = Date.now() + startDeadlineMs; !(await isReady());) {
    if (child.exitCode !== null || Date.now() > deadline)
      throw new SetupError(`Prometheus did not start:\n${log}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  /** The `data` of an answer of its API. */
  const ask = async (path) => {
    const answer = await (await fetch(`${url}/api/v1/${path}`)).json()
    if (answer.status !== 'success') throw new Error(`${path}: ${answer.error}`)
    return answer.data
  }
  return {
    /** The result of an expression now. */
    query: async (text) => (await ask(`query?query=${encodeURIComponent(text)}`)).result,
    targets: async () => (await ask('targets')).activeTargets,
    /** Names of the alerts that fired at any time since it was started. */
    fired: async () => {
      const series = await ask(`series?match[]=${encodeURIComponent('ALERTS{alertstate="firing"}')}`)
      return [...new Set(series.map(({ alertname }) => alertname))]
    },
    async stop() {
      child.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}
