import type { ClientRequest, IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { Problem } from '../../../platform/problems/index.ts'
import type { ByteSource } from '../../../stores/storage/index.ts'
import { EXIT_CODE, STDERR } from './runner-protocol.ts'

/** git ended with an error. Its message is for the log. */
export class GitFailed extends Error {
  readonly code: number
  readonly stderr: string

  constructor(args: string[], code: number, stderr: string) {
    const command = args.find((arg, i) => !arg.startsWith('-') && args[i - 1] !== '-c')
    super(`git ${command} ended with ${code}: ${stderr.trim()}`)
    this.name = 'GitFailed'
    this.code = code
    this.stderr = stderr
  }
}

// A git whose reader has kept it waiting this long uses no processor.
const SLOW_READER_MS = 5000

/**
 * What a git writes; its slot is given back early where the reader is slow. Throws `GitFailed` at the end, and the reason
 * of `signal` once that aborts.
 */
export async function* outputOf(
  { args, signal }: { args: string[]; signal?: AbortSignal },
  answer: IncomingMessage,
  { giveBack, isFine }: { giveBack: () => void; isFine: (code: number) => boolean },
): AsyncGenerator<Uint8Array> {
  let waitedMs = 0
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      const at = performance.now()
      yield chunk
      waitedMs += performance.now() - at
      if (waitedMs > SLOW_READER_MS) giveBack()
    }
  } catch (error) {
    signal?.throwIfAborted()
    throw explained(error)
  }
  const code = Number(answer.trailers[EXIT_CODE] ?? -1)
  if (isFine(code)) return
  throw new GitFailed(args, code, Buffer.from(answer.trailers[STDERR] ?? '', 'base64').toString('utf8'))
}

/** Sends a git its input. */
export function feed(sent: ClientRequest, stdin: ByteSource | undefined): void {
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

/** A connection to the runner that broke, as a Problem; other errors come back unchanged. */
export function explained(error: unknown): unknown {
  return isConnectionLost(error)
    ? new Problem('temporarily-unavailable', { retryAfterS: 5, cause: error })
    : error
}

function isConnectionLost(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    (error.code === 'ECONNRESET' || error.code === 'ECONNREFUSED' || error.code === 'ENOENT')
  )
}
