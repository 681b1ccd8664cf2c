import { describe, expect, test } from 'vitest'
import { codeOf } from '../../../core/lfs/testing.ts'
import { drain } from '../../../stores/storage/index.ts'
import { fed } from './feed.ts'
import { givenXorb, Random, rawChunk } from '../format/testing.ts'
import { FormatError, hashText } from '../format/index.ts'
import { endThreads, runTask, tasksUnderWay } from './pool.ts'

const random = new Random(5)
const xorb = givenXorb([{ plain: random.bytes(100_000) }, { plain: random.text(90_000), scheme: 1 }])

/** Verifies bytes in a thread; `source` is what they come from. */
const verified = async (source: AsyncGenerator<Uint8Array>) => {
  let hash = ''
  const bytes = fed(source, async (feed, signal) => {
    hash = (await runTask('verify-xorb', undefined, { next: feed.next }, signal)).hash
  })
  await drain(bytes)
  return hash
}
async function* pieces(bytes: Buffer, size = 50_000) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
/** Bytes that stop coming until `goOn`. */
function stalling(bytes: Buffer) {
  let goOn: () => void = () => undefined
  const waiting = new Promise<void>((resolve) => (goOn = resolve))
  let isWaiting: () => void = () => undefined
  const stalled = new Promise<void>((resolve) => (isWaiting = resolve))
  const source = (async function* () {
    yield bytes.subarray(0, 1000)
    isWaiting()
    await waiting
    yield bytes.subarray(1000)
  })()
  return { source, goOn, stalled }
}

describe('the chunk threads', () => {
  test('many tasks share them, and silent ones hold no other up', async () => {
    const silent = Array.from({ length: 5 }, () => stalling(xorb.body))
    const waiting = silent.map(({ source }) => verified(source))
    await Promise.all(silent.map(({ stalled }) => stalled))
    expect(tasksUnderWay()).toBe(5)
    const others = await Promise.all(Array.from({ length: 8 }, () => verified(pieces(xorb.body))))
    expect(new Set(others)).toEqual(new Set([hashText(xorb.index.hash)]))
    for (const { goOn } of silent) goOn()
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(others))
    expect(tasksUnderWay()).toBe(0)
  })

  test('a failure is the failure of its own task alone', async () => {
    const bad = rawChunk(7, 9, Buffer.alloc(9))
    const outcomes = await Promise.allSettled([
      verified(pieces(xorb.body)),
      verified(pieces(bad)),
      verified(pieces(xorb.body)),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    const [, failed] = outcomes
    const reason: unknown = failed?.status === 'rejected' ? failed.reason : undefined
    expect(reason).toBeInstanceOf(FormatError)
    expect(reason).toMatchObject({ check: 'chunk-scheme' })
    expect(tasksUnderWay()).toBe(0)
  })

  test('a thread that dies fails its tasks, and the next ones get another', async () => {
    const { source, stalled, goOn } = stalling(xorb.body)
    const doomed = codeOf(verified(source))
    await stalled
    await endThreads()
    goOn()
    expect(await doomed).toBe('temporarily-unavailable')
    expect(tasksUnderWay()).toBe(0)
    expect(await verified(pieces(xorb.body))).toBe(hashText(xorb.index.hash))
  })

  test('what an answer throws ends the task with it', async () => {
    const next = async () => {
      throw new RangeError('no')
    }
    await expect(runTask('verify-xorb', undefined, { next })).rejects.toThrow(RangeError)
    expect(tasksUnderWay()).toBe(0)
  })

  test('a task that is cancelled before or while it runs rejects with the reason', async () => {
    const givenUp = new AbortController()
    const next = () => new Promise<undefined>(() => undefined)
    const running = runTask('verify-xorb', undefined, { next }, givenUp.signal)
    givenUp.abort(new Error('enough'))
    await expect(running).rejects.toThrow('enough')
    await expect(runTask('verify-xorb', undefined, { next }, givenUp.signal)).rejects.toThrow('enough')
    expect(tasksUnderWay()).toBe(0)
  })

  test('a reader that stops in the midst ends the task, and closes the source', async () => {
    let isClosed = false
    const large = givenXorb(Array.from({ length: 40 }, () => ({ plain: random.bytes(100_000) }))).body
    const source = (async function* () {
      try {
        yield* pieces(large)
      } finally {
        isClosed = true
      }
    })()
    const bytes = fed(source, (feed, signal) =>
      runTask('verify-xorb', undefined, { next: feed.next }, signal),
    )
    for await (const chunk of bytes) {
      expect(chunk.length).toBeGreaterThan(0)
      break
    }
    expect([isClosed, tasksUnderWay()]).toEqual([true, 0])
  })

  test('bytes pass unchanged, in order, whatever the pieces', async () => {
    const large = givenXorb(Array.from({ length: 30 }, () => ({ plain: random.bytes(120_000) }))).body
    for (const size of [1000, 65_536, 1_048_576, 3_000_000]) {
      const passed: Buffer[] = []
      const bytes = fed(pieces(large, size), (feed, signal) =>
        runTask('verify-xorb', undefined, { next: feed.next }, signal),
      )
      for await (const chunk of bytes) {
        passed.push(Buffer.from(chunk))
        bytes.giveBack?.(chunk)
      }
      expect(Buffer.concat(passed).equals(large)).toBe(true)
    }
  })
})
