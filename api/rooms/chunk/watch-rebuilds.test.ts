import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { eachDatabase } from '../../testing.ts'
import type { Acceptance } from './accept-shard.ts'
import { fileOf, freshXorb, givenSender, work, type Sender } from './testing/sender.ts'

eachDatabase('the watch over files that are put together', (world) => {
  let sender: Sender
  beforeAll(async () => {
    sender = await givenSender(world)
  })
  const given = async () => {
    const xorb = freshXorb([600, 400])
    await sender.put(xorb)
    return sender.describe([0, 1].map((start) => fileOf([{ xorb, start, end: start + 1 }])))
  }
  const tell = (progress_done: number) => {
    const { jobs } = world.db.t
    return world.db.write(({ q }) => q.update(jobs).set({ progress_done }).where(eq(jobs.status, 'queued')))
  }
  const open = (acceptance: Acceptance, signal = new AbortController().signal) => {
    const steps = acceptance.watch(signal)
    return async () => ((await steps.next()).value as { verifiedBytes: number } | undefined)?.verifiedBytes
  }

  test('reports progress at once and as it grows, and never less than before', async () => {
    const next = open(await given())
    expect(await next()).toBe(0)
    await tell(700)
    expect(await next()).toBe(700)
    // The job begins again.
    await tell(100)
    const later = next()
    await tell(800)
    expect(await later).toBe(800)
    await work(world)
    expect([await next(), await next()]).toEqual([1000, undefined])
  })

  test('leaves no listener on the signal, however often it looks', async () => {
    const { signal } = new AbortController()
    const listeners = new Set<unknown>()
    let added = 0
    signal.addEventListener = (_: string, listener: unknown) => void (listeners.add(listener), added++)
    signal.removeEventListener = (_: string, listener: unknown) => void listeners.delete(listener)
    const next = open(await given(), signal)
    expect(await next()).toBe(0)
    const later = next()
    await tell(700)
    expect(await later).toBe(700)
    await work(world)
    expect([await next(), await next()]).toEqual([1000, undefined])
    expect(added).toBeGreaterThan(0)
    expect(listeners.size).toBe(0)
  })

  test('a job that reports more than its sender waits for has no more than all', async () => {
    const next = open(await given())
    await tell(5000)
    expect(await next()).toBe(1000)
    await work(world)
    expect(await next()).toBeUndefined()
  })

  test('ends when no client listens any more, and the work goes on', async () => {
    const acceptance = await given()
    const gone = new AbortController()
    const next = open(acceptance, gone.signal)
    await next()
    const waiting = next()
    gone.abort()
    await expect(waiting).rejects.toThrow(/abort/i)
    await work(world)
    expect(await open(acceptance)()).toBe(1000)
  })
})
