import { expect, test } from 'vitest'
import { createLogger } from './logger.ts'
import { watchStalls } from './stalls.ts'
import { logSlowStatements, SLOW_STATEMENT_MS, timed } from './statements.ts'

function given() {
  const lines: Record<string, unknown>[] = []
  const write = (line: string) => lines.push(JSON.parse(line) as Record<string, unknown>)
  return { lines, log: createLogger({ level: 'info', format: 'json', write }) }
}

/** Keeps this thread from everything else. */
const block = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

test('a slow statement is logged once, without the values bound to it; a fast one is not', async () => {
  const { lines, log } = given()
  const end = logSlowStatements(log)
  await timed('select ?', true, async () => undefined)
  await timed('select slow', true, async () => block(SLOW_STATEMENT_MS + 50))
  end()
  expect(lines).toMatchObject([{ msg: 'a statement was slow', sql: 'select slow' }])
})

test('a slow statement that fails is logged, and fails as before', async () => {
  const { lines, log } = given()
  const end = logSlowStatements(log)
  const error = new Error('no')
  await expect(
    timed('select wrong', true, async () => {
      block(SLOW_STATEMENT_MS + 50)
      throw error
    }),
  ).rejects.toBe(error)
  end()
  expect(lines).toHaveLength(1)
})

test('a loop that stood still is logged once, with the statement that held it', async () => {
  const { lines, log } = given()
  const end = watchStalls(log)
  await pause(100)
  await timed('select everything', true, async () => block(600))
  await pause(200)
  end()
  const mine = lines.filter(({ cause }) => cause === 'statement: select everything')
  expect(mine).toHaveLength(1)
})
