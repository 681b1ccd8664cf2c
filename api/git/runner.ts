import { execFile, fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { request, type ClientRequest, type IncomingMessage } from 'node:http'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Problem } from '../problems/index.ts'
import { collect, type ByteSource } from '../storage/index.ts'
import type { Logger } from '../telemetry/index.ts'
import { EXIT_CODE, ORDER, STDERR, writeOrder } from './runner-protocol.ts'
import { Slots } from './slots.ts'

/** Oldest git whose `repack --geometric`, `merge-tree --write-tree` and protocol answers Arsenal relies on. */
export const MIN_GIT = [2, 38] as const
const MAX_WAITING = 64
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024

/** git ended with an error. Its message is for the log. */
export class GitFailed extends Error {
  readonly code: number

  constructor(args: string[], code: number, stderr: string) {
    super(`git ${args[0]} ended with ${code}: ${stderr.trim()}`)
    this.name = 'GitFailed'
    this.code = code
  }
}

/** One git to be run. */
export interface GitOrder {
  dir: string
  args: string[]
  /** `pack` for index-pack and repack, which use whole cores. */
  kind?: 'pack' | 'other'
  stdin?: ByteSource
  signal?: AbortSignal
  /** Less than `git.timeout`, where an answer is worth only so much. */
  timeoutMs?: number
}

/**
 * Runs real git through a small separate process, started when first needed and again after a crash. Problem
 * `temporarily-unavailable` when too many wait or the process died under the request.
 */
export class Runner {
  readonly #log: Logger
  readonly #timeoutMs: number
  readonly #slots = {
    pack: new Slots(availableParallelism(), MAX_WAITING),
    other: new Slots(4 * availableParallelism(), MAX_WAITING),
  }
  #worker: Promise<Worker> | undefined

  constructor(log: Logger, timeoutMs: number) {
    this.#log = log
    this.#timeoutMs = timeoutMs
  }

  /** Runs git and returns its whole output, at most `maxBytes` of it. Throws `GitFailed`, `TooManyBytes`. */
  async run(order: GitOrder, maxBytes = MAX_OUTPUT_BYTES): Promise<Buffer> {
    return (await this.answer(order, [0], maxBytes)).output
  }

  /** As `run`, of a git that answers by its exit code as well; others than these `codes` are failures. */
  async answer(
    order: GitOrder,
    codes: readonly number[],
    maxBytes = MAX_OUTPUT_BYTES,
  ): Promise<{ code: number; output: Buffer }> {
    const giveBack = await this.#slots[order.kind ?? 'other'].take()
    try {
      const answer = await this.#send(order)
      const output = await collect(answer, maxBytes)
      const code = Number(answer.trailers[EXIT_CODE] ?? -1)
      if (!codes.includes(code)) {
        throw new GitFailed(
          order.args,
          code,
          Buffer.from(answer.trailers[STDERR] ?? '', 'base64').toString('utf8'),
        )
      }
      return { code, output }
    } catch (error) {
      throw isConnectionLost(error)
        ? new Problem('temporarily-unavailable', { retryAfterS: 5, cause: error })
        : error
    } finally {
      giveBack()
    }
  }

  async #send({ dir, args, stdin, signal, timeoutMs }: GitOrder): Promise<IncomingMessage> {
    const { socketPath } = await (this.#worker ??= this.#start())
    const order = { dir, args, timeoutMs: Math.min(timeoutMs ?? this.#timeoutMs, this.#timeoutMs) }
    const headers = { [ORDER]: writeOrder(order) }
    const sent = request({ socketPath, method: 'POST', headers, agent: false, ...(signal && { signal }) })
    const answered = once(sent, 'response') as Promise<[IncomingMessage]>
    feed(sent, stdin)
    const [answer] = await answered
    return answer
  }

  async #start(): Promise<Worker> {
    const dir = await mkdtemp(join(tmpdir(), 'arsenal-git-'))
    const entry = fileURLToPath(new URL('./runner.worker.ts', import.meta.url))
    // Source files need a loader on Node 20; the built server has its own bundle of the worker.
    const child = fork(entry, [dir], {
      execArgv: entry.endsWith('.ts') ? ['--import', 'tsx'] : [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    child.once('exit', (code) => {
      this.#worker = undefined
      if (code !== 0 && !child.killed)
        this.#log.error({ code }, 'the git runner died; the next use starts it again')
      void rm(dir, { recursive: true, force: true })
    })
    await Promise.race([once(child, 'message'), diedEarly(child)])
    child.unref()
    child.channel?.unref()
    return { child, socketPath: join(dir, 'git.sock') }
  }

  /** Ends the runner and every git it runs. */
  async close(): Promise<void> {
    const worker = await this.#worker?.catch(() => undefined)
    if (!worker || worker.child.exitCode !== null) return
    const exited = once(worker.child, 'exit')
    worker.child.ref()
    worker.child.disconnect()
    await exited
  }
}

interface Worker {
  child: ChildProcess
  socketPath: string
}

async function diedEarly(child: ChildProcess): Promise<never> {
  const [code] = (await once(child, 'exit')) as [number | null]
  throw new Error(`the git runner ended with ${code} while starting`)
}

function feed(sent: ClientRequest, stdin: ByteSource | undefined): void {
  // The answer tells how it ended; a connection closed after that is no error of its own.
  sent.on('error', () => undefined)
  if (!stdin) {
    sent.end()
    return
  }
  // Headers go at once, so that git starts and its time runs before the first byte of input.
  sent.flushHeaders()
  const input = Readable.from(stdin)
  input.on('error', (error) => sent.destroy(error))
  sent.on('close', () => input.destroy())
  input.pipe(sent)
}

function isConnectionLost(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    (error.code === 'ECONNRESET' || error.code === 'ECONNREFUSED' || error.code === 'ENOENT')
  )
}

/** Refuses a missing or too old git; the message is for whoever starts the server. */
export async function requireGit(): Promise<void> {
  const { stdout } = await promisify(execFile)('git', ['--version']).catch(() => ({ stdout: '' }))
  const [, major = 0, minor = 0] = (/git version (\d+)\.(\d+)/.exec(stdout) ?? []).map(Number)
  if (major > MIN_GIT[0] || (major === MIN_GIT[0] && minor >= MIN_GIT[1])) return
  throw new Error(`git ${MIN_GIT.join('.')} or newer must be installed; found ${stdout.trim() || 'none'}`)
}
