import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { startProcess } from '../../platform/workers.ts'
import type { StrengthQuestion } from './strength.worker.ts'

// Far more than a slow machine takes.
const deadlineMs = 30_000
const IDLE_MS = 10_000

/** The judge that answered last; the next question needs no other within `IDLE_MS`. */
let idle: { child: ChildProcess; timer: NodeJS.Timeout } | undefined

/**
 * How hard a password is to guess: zxcvbn's score from 0 to 4. It is judged in a process of its own that ends soon
 * after, for the dictionaries take 60 MB. To load them takes 0.4 s of a processor, so that one process answers what is
 * asked in a row.
 */
export async function scoreOf(question: StrengthQuestion): Promise<number> {
  const child = take() ?? startProcess(new URL('./strength.worker.ts', import.meta.url), [], { env: {} })
  const over = new AbortController()
  const signal = AbortSignal.any([over.signal, AbortSignal.timeout(deadlineMs)])
  try {
    const answered = once(child, 'message', { signal })
    const died = once(child, 'exit', { signal }).then(([code]) => {
      throw new Error(`the judge of passwords ended with ${String(code)} before it answered`)
    })
    child.send(question)
    const [score] = (await Promise.race([answered, died])) as [number]
    keep(child)
    return score
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  } finally {
    over.abort()
  }
}

function take(): ChildProcess | undefined {
  const { child, timer } = idle ?? {}
  clearTimeout(timer)
  idle = undefined
  if (!child?.connected) return undefined
  child.ref()
  child.channel?.ref()
  return child
}

/** Keeps one; of those that answered beside each other the others end at once. */
function keep(child: ChildProcess): void {
  if (idle) return child.disconnect()
  child.unref()
  child.channel?.unref()
  const timer = setTimeout(() => take()?.disconnect(), IDLE_MS).unref()
  idle = { child, timer }
}
