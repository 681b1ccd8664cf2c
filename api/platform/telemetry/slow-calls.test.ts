import { describe, expect, test } from 'vitest'
import { createLogger } from './logger.ts'
import { noTelemetry, type Operation } from './telemetry.ts'
import { slowCalls } from './slow-calls.ts'

/** Calls that take so long by a clock of their own, and the lines they leave. */
function given() {
  const lines: Record<string, unknown>[] = []
  let atMs = 0
  const write = (line: string) => lines.push(JSON.parse(line) as Record<string, unknown>)
  const telemetry = slowCalls(createLogger({ level: 'info', format: 'json', write }), noTelemetry, () => atMs)
  const call = (operation: Operation, ms: number, fail?: Error) =>
    telemetry.observe(operation, async () => {
      atMs += ms
      if (fail) throw fail
      return 'done'
    })
  return { lines, call }
}

describe('slow calls', () => {
  test('are logged once, with what they were about', async () => {
    const { lines, call } = given()
    expect(await call({ name: 'blob.stat', subject: 'lfs/a' }, 2001)).toBe('done')
    expect(await call({ name: 'blob.stat', subject: 'lfs/b' }, 2000)).toBe('done')
    expect(await call({ name: 'db.write' }, 2500)).toBe('done')
    expect(lines).toMatchObject([
      { level: 'warn', operation: 'blob.stat', subject: 'lfs/a', took_ms: 2001 },
      { level: 'warn', operation: 'db.write', took_ms: 2500 },
    ])
    expect(lines).toHaveLength(2)
  })

  test('that fail are logged as well, and fail as before', async () => {
    const { lines, call } = given()
    const error = new Error('no answer')
    await expect(call({ name: 'blob.delete', subject: 'lfs/a' }, 9000, error)).rejects.toBe(error)
    expect(lines).toMatchObject([{ operation: 'blob.delete', took_ms: 9000 }])
  })

  test('that wait for a sender are not', async () => {
    const { lines, call } = given()
    await call({ name: 'blob.put', subject: 'lfs/a', waitsForSender: true }, 60_000)
    expect(lines).toEqual([])
  })
})
