import { describe, expect, test } from 'vitest'
import type { Acceptance } from './accept-shard.ts'
import { shardFrames, waitForShard, type ErrorFrame } from './shard-frames.ts'

type Progress = { verifiedBytes: number; totalBytes: number }
const nobodyGone = new AbortController().signal
const toFrame = (error: unknown): ErrorFrame => ({ type: 'error', message: String(error), retryable: false })
const ending = [
  { type: 'committing', stage: 'uploading' },
  { type: 'committing', stage: 'syncing' },
  { type: 'result', result: 1 },
]
const at = (verifiedBytes: number): Progress => ({ verifiedBytes, totalBytes: 10 })

/** A manifest whose files are rebuilt as the test says. */
const acceptanceOf = (watch: Acceptance['watch'], isDone = false): Acceptance => ({ isDone, watch })

/** Ends when the signal says so, as the watching of a job does. */
const never = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason as Error)
    signal.addEventListener('abort', () => reject(signal.reason as Error))
  })

async function all(frames: AsyncIterable<object>): Promise<object[]> {
  const found: object[] = []
  for await (const frame of frames) found.push(frame)
  return found
}

async function framesOf(acceptance: Acceptance, keepAliveMs = 60_000): Promise<object[]> {
  return all(shardFrames(acceptance, { signal: nobodyGone, stopping: nobodyGone, toFrame, keepAliveMs }))
}

describe('the stream of a manifest', () => {
  test('tells of progress and ends with the result', async () => {
    const acceptance = acceptanceOf(async function* () {
      yield at(0)
      yield at(10)
    })
    expect(await framesOf(acceptance)).toEqual([
      { type: 'validating', verified: 0, total: 10 },
      { type: 'validating', verified: 10, total: 10 },
      ...ending,
    ])
  })

  test('of files that are all there has the end alone', async () => {
    const acceptance = acceptanceOf(async function* () {
      yield at(0)
      throw new Error('nobody looks')
    }, true)
    expect(await framesOf(acceptance)).toEqual(ending)
  })

  test('ends with an error when a file cannot be rebuilt, and whatever else breaks', async () => {
    const acceptance = acceptanceOf(async function* () {
      yield at(0)
      throw new Error('broken')
    })
    expect((await framesOf(acceptance)).at(-1)).toEqual(toFrame(new Error('broken')))
    const atOnce = acceptanceOf(() => {
      throw new Error('at once')
    })
    expect(await framesOf(atOnce)).toEqual([toFrame(new Error('at once'))])
  })

  test('says the last line again while nothing happens', async () => {
    let goOn = () => {}
    const waiting = new Promise<void>((resolve) => (goOn = resolve))
    const acceptance = acceptanceOf(async function* () {
      yield at(3)
      await waiting
      yield at(10)
    })
    const lines: unknown[] = []
    for await (const frame of shardFrames(acceptance, {
      signal: nobodyGone,
      stopping: nobodyGone,
      toFrame,
      keepAliveMs: 5,
    })) {
      lines.push(frame)
      if (lines.length === 4) goOn()
    }
    const third = { type: 'validating', verified: 3, total: 10 }
    expect(lines.slice(0, 4)).toEqual([third, third, third, third])
    expect(lines.slice(-4)).toEqual([{ type: 'validating', verified: 10, total: 10 }, ...ending])
  })

  test('keeps the connection before there is any progress', async () => {
    const gone = new AbortController()
    const acceptance = acceptanceOf(async function* (signal) {
      await never(signal)
      yield at(0)
    })
    const frames = shardFrames(acceptance, {
      signal: gone.signal,
      stopping: nobodyGone,
      toFrame,
      keepAliveMs: 5,
    })
    expect((await frames.next()).value).toEqual({ type: 'validating', verified: 0, total: 0 })
    const next = frames.next()
    gone.abort()
    await next
    expect(await all(frames)).toEqual([])
  })

  test('lets the client come again when the server stops', async () => {
    const acceptance = acceptanceOf(async function* (signal) {
      yield at(3)
      await never(signal)
      signal.throwIfAborted()
    })
    const stopping = new AbortController()
    const frames = shardFrames(acceptance, { signal: nobodyGone, stopping: stopping.signal, toFrame })
    await frames.next()
    stopping.abort()
    expect(await all(frames)).toMatchObject([
      { type: 'error', message: 'Problem: The server is being restarted.' },
    ])
  })
})

describe('waiting for a manifest', () => {
  test('ends when its files are there', async () => {
    const steps: number[] = []
    const acceptance = acceptanceOf(async function* () {
      for (const n of [1, 10]) {
        steps.push(n)
        yield at(n)
      }
    })
    await waitForShard(acceptance, nobodyGone)
    expect(steps).toEqual([1, 10])
  })

  test('ends after its time, and the files go on being put together', async () => {
    const acceptance = acceptanceOf(async function* (signal) {
      yield at(0)
      await never(signal)
    })
    await expect(waitForShard(acceptance, nobodyGone, 5)).resolves.toBeUndefined()
  })

  test('ends when no caller waits any more', async () => {
    const acceptance = acceptanceOf(async function* (signal) {
      yield at(0)
      await never(signal)
    })
    const gone = new AbortController()
    const waiting = waitForShard(acceptance, gone.signal)
    gone.abort(new Error('gone'))
    await expect(waiting).resolves.toBeUndefined()
  })

  test('tells why a file could not be rebuilt', async () => {
    const acceptance = acceptanceOf(async function* () {
      yield at(0)
      throw new Error('broken')
    })
    await expect(waitForShard(acceptance, nobodyGone)).rejects.toThrow('broken')
  })
})
