import { execFile, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { request, type IncomingMessage } from 'node:http'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { collect, derived, type ByteSource } from '../../../stores/storage/index.ts'
import { noTelemetry, type Logger, type Telemetry } from '../../../platform/telemetry/index.ts'
import { startProcess } from '../../../platform/workers.ts'
import { feed, outputOf, explained } from './runner-io.ts'
import { ORDER, writeOrder } from './runner-protocol.ts'
import { Limiter } from '../../../platform/flow/index.ts'

export { GitFailed } from './runner-io.ts'

/** Oldest git whose `repack --geometric`, `merge-tree --write-tree` and protocol answers Arsenal relies on. */
const MIN_GIT = [2, 38] as const
const MAX_WAITING = 64
/**
 * Four times what one caller may have (`wire/git-handlers.ts`): fetches that are read slowly wait in their pipes, and
 * must not keep out everyone else.
 */
const MAX_FETCHES = 16
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024

/** One git to be run. */
export interface GitOrder {
  dir: string
  args: string[]
  /**
   * `pack` for index-pack and repack, which use whole cores; `fetch` for upload-pack; `read` for what a reader waits for
   * and may ask for again and again, so that all of these leave half of the cores to others; `fed` where another git that has
   * its slot gives the input: two that waited for a second one each would wait for ever.
   */
  kind?: 'pack' | 'fetch' | 'read' | 'fed' | 'other'
  stdin?: ByteSource
  signal?: AbortSignal
  /** Less than `git.timeout`, where an answer is worth only so much. */
  timeoutMs?: number
  /** Version of git's wire protocol that the client asked for. */
  protocol?: number
  /** The most git may allocate at once. */
  allocBytes?: number
}

/**
 * Runs real git through a small separate process, started when first needed and again after a crash. Problem
 * `temporarily-unavailable` when too many wait or the process died under the request.
 */
export class Runner {
  readonly #log: Logger
  readonly #timeoutMs: number
  readonly #telemetry: Telemetry
  readonly #slots = {
    pack: new Limiter({ atOnce: availableParallelism(), maxWaiting: MAX_WAITING }),
    fetch: new Limiter({ atOnce: MAX_FETCHES, maxWaiting: MAX_WAITING }),
    read: new Limiter({ atOnce: Math.max(1, availableParallelism() >> 1), maxWaiting: MAX_WAITING }),
    other: new Limiter({ atOnce: 4 * availableParallelism(), maxWaiting: MAX_WAITING }),
    fed: new Limiter({}),
  }
  #worker: Promise<Worker> | undefined

  constructor(log: Logger, timeoutMs: number, telemetry: Telemetry = noTelemetry) {
    this.#log = log
    this.#timeoutMs = timeoutMs
    this.#telemetry = telemetry
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
    let code = 0
    const takeCode = (ended: number) => {
      code = ended
      return codes.includes(ended)
    }
    const output = await collect(await this.#open(order, takeCode), maxBytes)
    return { code, output }
  }

  /** Runs git and gives its output as it comes; at the end throws `GitFailed` when git failed. */
  open(order: GitOrder): Promise<ByteSource> {
    return this.#open(order, (code) => code === 0)
  }

  async #open(order: GitOrder, isFine: (code: number) => boolean): Promise<ByteSource> {
    const giveBack = await this.#slots[order.kind ?? 'other'].take(
      order.signal ? { signal: order.signal } : {},
    )
    const span = this.#telemetry.begin({ name: `git.${commandOf(order)}` })
    try {
      const answer = await this.#send(order, span.traceparent)
      answer.once('close', () => {
        giveBack()
        span.end()
      })
      return derived([answer], () => outputOf(order, answer, { giveBack, isFine }))
    } catch (error) {
      giveBack()
      span.end(error)
      order.signal?.throwIfAborted()
      throw explained(error)
    }
  }

  async #send(
    { dir, args, stdin, signal, timeoutMs, protocol, allocBytes }: GitOrder,
    traceparent: string | undefined,
  ): Promise<IncomingMessage> {
    const { socketPath } = await (this.#worker ??= this.#start())
    const order = {
      dir,
      args,
      timeoutMs: Math.min(timeoutMs ?? this.#timeoutMs, this.#timeoutMs),
      ...(protocol === undefined ? {} : { protocol }),
      ...(traceparent === undefined ? {} : { traceparent }),
      ...(allocBytes === undefined ? {} : { allocBytes }),
    }
    // This end closes the connection, once it has read the answer. A runner that closed it while input is still sent
    // would break the answer off: EPIPE ends the socket with all that is unread.
    const headers = { [ORDER]: writeOrder(order), connection: 'keep-alive' }
    const sent = request({ socketPath, method: 'POST', headers, agent: false, ...(signal && { signal }) })
    const answered = once(sent, 'response') as Promise<[IncomingMessage]>
    feed(sent, stdin)
    const [answer] = await answered
    answer.once('end', () => sent.destroy())
    return answer
  }

  async #start(): Promise<Worker> {
    const dir = await mkdtemp(join(tmpdir(), 'arsenal-git-'))
    const child = startProcess(new URL('./runner.worker.ts', import.meta.url), [dir])
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

/** `merge-tree` of `-c core.quotePath=false merge-tree …`. */
const commandOf = ({ args }: GitOrder) =>
  args.find((arg) => /^[a-z-]+$/.test(arg) && arg[0] !== '-') ?? 'other'

interface Worker {
  child: ChildProcess
  socketPath: string
}

async function diedEarly(child: ChildProcess): Promise<never> {
  const [code] = (await once(child, 'exit')) as [number | null]
  throw new Error(`the git runner ended with ${code} while starting`)
}

/** Refuses a missing or too old git; the message is for the person who starts the server. */
export async function requireGit(): Promise<void> {
  const { stdout } = await promisify(execFile)('git', ['--version']).catch(() => ({ stdout: '' }))
  const [, major = 0, minor = 0] = (/git version (\d+)\.(\d+)/.exec(stdout) ?? []).map(Number)
  if (major > MIN_GIT[0] || (major === MIN_GIT[0] && minor >= MIN_GIT[1])) return
  throw new Error(`git ${MIN_GIT.join('.')} or newer must be installed; found ${stdout.trim() || 'none'}`)
}
