import { parentPort } from 'node:worker_threads'
import { moved, toFailure, type Order, type Report, type Tasks } from './messages.ts'
import { rebuild } from './rebuild.ts'
import type { Ask } from './asked-bytes.ts'
import { verifyShard } from './verify-shard.ts'
import { verifyXorb } from './verify-xorb.ts'

const tasks: { [T in keyof Tasks]: (ask: Ask, input: Tasks[T]['input']) => Promise<Tasks[T]['answer']> } = {
  'verify-xorb': verifyXorb,
  'verify-shard': verifyShard,
  rebuild,
}

interface Waiting {
  resolve(answer: unknown): void
  reject(error: Error): void
}

/** The questions under way, by task. */
const running = new Map<number, Map<number, Waiting>>()

const report = (message: Report, transfer: ArrayBuffer[] = []) => parentPort?.postMessage(message, transfer)

function asker(id: number, questions: Map<number, Waiting>): Ask {
  let last = 0
  return (ask, argument) =>
    new Promise((resolve, reject) => {
      const question = ++last
      questions.set(question, { resolve: resolve as (answer: unknown) => void, reject })
      report({ id, question, ask, argument }, moved(argument))
    })
}

async function begin(id: number, task: keyof Tasks, input: unknown): Promise<void> {
  const questions = new Map<number, Waiting>()
  running.set(id, questions)
  try {
    const answer = await tasks[task](asker(id, questions), input as never)
    if (running.has(id)) report({ id, answer })
  } catch (error) {
    if (running.has(id)) report({ id, failure: toFailure(error) })
  } finally {
    running.delete(id)
  }
}

function end(id: number): void {
  const questions = running.get(id)
  running.delete(id)
  for (const { reject } of questions?.values() ?? []) reject(new Error('the task was given up'))
}

parentPort?.on('message', (order: Order) => {
  if ('begin' in order) void begin(order.id, order.begin, order.input)
  else if ('isOver' in order) end(order.id)
  else {
    const questions = running.get(order.id)
    questions?.get(order.question)?.resolve(order.answer)
    questions?.delete(order.question)
  }
})
