// What the benchmarks measure with: CPU and memory of a process, a keep-alive load, medians, the table.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import http from 'node:http'
import { join } from 'node:path'

const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK']).toString())

/** User and system CPU of a process so far, in seconds. */
export function cpuSeconds(pid) {
  const { user, system } = cpuParts(pid)
  return user + system
}

/** The two apart (proc(5), fields 14 and 15 of stat). */
export function cpuParts(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return { user: Number(fields[11]) / ticksPerSecond, system: Number(fields[12]) / ticksPerSecond }
}

/** Resident memory of a process in bytes. */
export function residentBytes(pid) {
  const line = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Number(line[1]) * 1024
}

/**
 * Sends `total` requests over `lanes` kept connections and checks the status of each. It never sleeps: a server that is
 * slower than its client would pay 13 µs for waking it with every answer, and a faster one would not.
 */
export async function load({ url, method, headers, total, lanes, status }) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: lanes })
  let left = total
  let isAwake = true
  const stayAwake = () => isAwake && setImmediate(stayAwake)
  stayAwake()
  const lane = async () => {
    while (left-- > 0) {
      const request = http.request(url, { method, headers, agent }).end()
      const [answer] = await once(request, 'response')
      if (answer.statusCode !== status) throw new Error(`${method} ${url}: ${answer.statusCode}`)
      answer.resume()
      await once(answer, 'end')
    }
  }
  try {
    await Promise.all(Array.from({ length: lanes }, lane))
  } finally {
    isAwake = false
    agent.destroy()
  }
}

export const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]

/** Seconds that `work` takes. */
export async function seconds(work) {
  const start = performance.now()
  await work()
  return (performance.now() - start) / 1000
}

/** User and system CPU a program takes, in seconds. */
export async function cpuOf(command, args) {
  const { stderr } = await run('bash', ['-c', `TIMEFORMAT='%U %S'; time "$@"`, command, command, ...args])
  const [user, system] = stderr.trim().split('\n').at(-1).split(' ').map(Number)
  return user + system
}

/** Runs a program to its end; rejects unless it exits with 0. */
export async function run(command, args, options = {}) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options })
  let stdout = ''
  let stderr = ''
  child.stdout?.on('data', (chunk) => (stdout += chunk))
  child.stderr?.on('data', (chunk) => (stderr += chunk))
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${command} ${args.join(' ')}: ${code}\n${stdout}\n${stderr}`)
  return { stdout, stderr }
}

/**
 * Fills the page cache with a file below `dir` and frees it. A virtual machine gives memory that was not in use back to
 * its host, and 1 GiB of it costs the next writer up to 2.5 s of CPU time, whichever writer that is.
 */
export async function warmMemory(dir, mebibytes = 1536) {
  const target = join(dir, 'warm.bin')
  await run('dd', ['if=/dev/zero', `of=${target}`, 'bs=1M', `count=${mebibytes}`])
  await rm(target)
}

/** One line of the report. `kept` says whether the bound holds. */
export function row(what, measured, reference, figure, bound, kept) {
  return { what, measured, reference, figure, bound, kept }
}

export const mib = (bytes) => `${(bytes / 2 ** 20).toFixed(0)} MiB`
export const mbps = (bytes, s) => `${(bytes / 1e6 / s).toFixed(0)} MB/s`
