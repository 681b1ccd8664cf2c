import { once } from 'node:events'
import { startProcess } from '../../platform/workers.ts'
import type { StrengthQuestion } from './strength.worker.ts'

// Far more than a slow machine takes.
const deadlineMs = 30_000

/**
 * How hard a password is to guess: zxcvbn's score from 0 to 4. It is judged in a process of its own that ends with the
 * answer, for the dictionaries take 60 MB and the judging up to a few hundred milliseconds.
 */
export async function scoreOf(question: StrengthQuestion): Promise<number> {
  const entry = new URL('./strength.worker.ts', import.meta.url)
  const signal = AbortSignal.timeout(deadlineMs)
  const child = startProcess(entry, [], { env: {}, signal })
  const answered = once(child, 'message', { signal })
  const died = once(child, 'exit').then(([code]) => {
    throw new Error(`the judge of passwords ended with ${String(code)} before it answered`)
  })
  died.catch(() => undefined)
  child.send(question)
  const [score] = (await Promise.race([answered, died])) as [number]
  return score
}
