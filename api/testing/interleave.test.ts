import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { Ctx } from '../core/ctx.ts'
import { collect, fromChunks } from '../stores/storage/index.ts'
import { after, before, eachDatabase, hold, untilBlocked, type Point } from '../testing.ts'

eachDatabase('a verb that is held', (world) => {
  let made = 0
  const at = () => world.clock.now
  const list = (ctx: Pick<Ctx, 'db'>, key: string) =>
    ctx.db.write(async ({ q, t }) => {
      await q.insert(t.blob_deletions).values({ key, at: at() })
    })
  const unlist = (ctx: Pick<Ctx, 'db'>, key: string) =>
    ctx.db.write(({ q, t: { blob_deletions: d } }) => q.delete(d).where(eq(d.key, key)).returning())
  const isListed = async ({ db: { q, t } }: Pick<Ctx, 'db'>, key: string) =>
    (await q.$count(t.blob_deletions, eq(t.blob_deletions.key, key))) > 0

  /** Looks whether a key is listed and stored, lists another, and looks again: what it saw. */
  async function verb(ctx: Pick<Ctx, 'db' | 'blobs'>, key: string) {
    const look = async () => [await isListed(ctx, key), (await ctx.blobs.stat(key)) !== undefined]
    const first = await look()
    await list(ctx, `${key}/own`)
    return [first, await look()]
  }

  test.each<[Point, boolean[][]]>([
    [
      before('write'),
      [
        [false, false],
        [true, true],
      ],
    ],
    [
      after('write'),
      [
        [false, false],
        [true, true],
      ],
    ],
    [
      before(/from "blob_deletions"/),
      [
        [true, true],
        [true, true],
      ],
    ],
    [
      after(/from "blob_deletions"/),
      [
        [false, true],
        [true, true],
      ],
    ],
    [
      before(/from "blob_deletions"/, { nth: 2 }),
      [
        [false, false],
        [true, true],
      ],
    ],
    [
      before('stat', { key: /key/ }),
      [
        [false, true],
        [true, true],
      ],
    ],
    [
      after('stat'),
      [
        [false, false],
        [true, true],
      ],
    ],
    [
      before('stat', { nth: 2 }),
      [
        [false, false],
        [false, true],
      ],
    ],
  ])('%o: another comes between its looks', async (point, seen) => {
    const key = `key${++made}`
    const held = await hold(world.ctx(), point, (ctx) => verb(ctx, key))
    await list(world.ctx(), key)
    await world.blobs.put(key, fromChunks(Buffer.from(key)))
    expect(await held.resume()).toEqual(seen)
  })

  test('holds after a transaction that others see, and before one that they do not', async () => {
    for (const point of [before('write'), after('write')]) {
      const key = `key${++made}`
      const held = await hold(world.ctx(), point, (ctx) => list(ctx, key))
      expect(await isListed(world.ctx(), key)).toBe(point.when === 'after')
      await held.resume()
      expect(await isListed(world.ctx(), key)).toBe(true)
    }
  })

  test('holds between the chunks of an object', async () => {
    const key = `key${++made}`
    await world.blobs.put(key, fromChunks(Buffer.from('a'), Buffer.from('b')))
    const held = await hold(world.ctx(), after('chunk'), async ({ blobs }) =>
      collect(await blobs.read(key), 9),
    )
    expect((await held.resume()).toString()).toBe('ab')
  })

  test('fails where the point is not reached, and tells why', async () => {
    const key = `key${++made}`
    await expect(hold(world.ctx(), before('write', { nth: 2 }), (ctx) => list(ctx, key))).rejects.toThrow(
      'ended without reaching: before step 2 of write',
    )
    await expect(hold(world.ctx(), before('copy'), (ctx) => list(ctx, key))).rejects.toMatchObject({
      message: expect.stringContaining('failed before') as string,
      cause: { name: 'UniqueViolation' },
    })
  })

  test('answers how the verb failed', async () => {
    const key = `key${++made}`
    const held = await hold(world.ctx(), before('write'), (ctx) => list(ctx, key))
    await list(world.ctx(), key)
    await expect(held.resume()).rejects.toMatchObject({ name: 'UniqueViolation' })
  })

  test('in a transaction keeps its locks, for which others are seen to wait; SQLite has one writer', async () => {
    const key = `key${++made}`
    await list(world.ctx(), key)
    const inside = hold(world.ctx(), after(/^delete from "blob_deletions"/), (ctx) => unlist(ctx, key))
    if (world.engine === 'sqlite') return expect(inside).rejects.toThrow('failed before')
    const held = await inside
    const second = unlist(world.ctx(), key)
    await untilBlocked(world.db, second)
    expect(await held.resume()).toHaveLength(1)
    expect(await second).toEqual([])
    await expect(untilBlocked(world.db, second)).rejects.toThrow('nothing was in its way')
  })
})
