import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { fileOf, freshXorb, givenSender, type Sender } from '../../rooms/chunk/testing/sender.ts'
import { eachDatabase } from '../../testing.ts'
import { pendingBytes } from './pending.ts'

eachDatabase('chunks that wait for a commit', (world) => {
  let sender: Sender
  beforeAll(async () => {
    sender = await givenSender(world)
  })
  const pendingOf = ({ actor }: Sender) => pendingBytes(world.db, world.ctx(), { userId: actor.id })

  test('count for who sent them alone, until they are no longer kept', async () => {
    const [xorb, other] = [freshXorb(), await givenSender(world)]
    const sentAt = world.clock.now.getTime()
    await sender.put(xorb)
    const sizeBytes = xorb.body.length
    const firstEndsAt = new Date(sentAt + world.deps.config.chunk.xorb_retention)
    expect(await pendingOf(sender)).toEqual({ bytes: sizeBytes, containerBytes: sizeBytes, firstEndsAt })
    expect(await pendingOf(other)).toEqual({ bytes: 0, containerBytes: 0, firstEndsAt: null })
  })

  test('as files they count until each is put together or has failed, though the job is at others', async () => {
    const ada = await givenSender(world)
    const xorb = freshXorb([700, 900])
    await ada.put(xorb)
    await ada.describe([0, 1].map((i) => fileOf([{ xorb, start: i, end: i + 1 }])))
    expect((await pendingOf(ada)).bytes).toBe(1600)
    const { chunk_rebuilds: r } = world.db.t
    await world.db.write(({ q }) => q.update(r).set({ active_key: null }).where(eq(r.size, 900)))
    expect((await pendingOf(ada)).bytes).toBe(700)
  })
})
