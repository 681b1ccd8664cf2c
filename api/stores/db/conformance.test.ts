import { asc, eq, sql, sum } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { eachDatabase } from '../../testing.ts'
import { anyOf, ForeignKeyViolation, jsonRow, newId, UniqueViolation } from './index.ts'

eachDatabase('database', (world) => {
  const space = (name: string) => ({
    id: newId(),
    name,
    name_key: name.toLowerCase(),
    kind: 'org' as const,
    display_name: name,
    created_at: new Date('2026-01-02T03:04:05.678Z'),
  })

  test('keeps times to the millisecond, JSON and bytes', async () => {
    const row = space('times')
    await world.db.write(async ({ q, t }) => {
      await q.insert(t.namespaces).values(row)
    })
    const { namespaces } = world.db.t
    const [read] = await world.db.q.select().from(namespaces).where(eq(namespaces.id, row.id))
    expect(read).toMatchObject({ name: 'times', bio: null, created_at: row.created_at })
  })

  test('rolls a failed change back whole and tells unique from foreign-key violations', async () => {
    const row = space('twice')
    await expect(
      world.db.write(async ({ q, t }) => {
        await q.insert(t.namespaces).values(row)
        await q.insert(t.namespaces).values({ ...row, id: newId() })
      }),
    ).rejects.toBeInstanceOf(UniqueViolation)
    expect(await world.db.q.$count(world.db.t.namespaces, eq(world.db.t.namespaces.name_key, 'twice'))).toBe(
      0,
    )
    await expect(
      world.db.write(async ({ q, t }) => {
        await q.insert(t.members).values({
          org_id: newId(),
          user_id: newId(),
          role: 'read',
          source: 'manual',
          joined_at: new Date(),
        })
      }),
    ).rejects.toBeInstanceOf(ForeignKeyViolation)
  })

  test('enforces foreign keys and takes writes still after a rolled-back one', async () => {
    for (let i = 0; i < 3; i++) {
      await expect(
        world.db.write(async () => {
          throw new Error('no')
        }),
      ).rejects.toThrow('no')
    }
    await world.db.check()
  })

  test('serialises concurrent writers without losing an increment', async () => {
    const key = newId()
    await world.db.write(async ({ q, t }) => {
      await q.insert(t.throttles).values({ key, failures: 0, window_start: new Date(), locks: 0 })
    })
    await Promise.all(
      Array.from({ length: 20 }, () =>
        world.db.write(async ({ q, t }) => {
          await q
            .update(t.throttles)
            .set({ failures: sql`${t.throttles.failures} + 1` })
            .where(eq(t.throttles.key, key))
        }),
      ),
    )
    const { throttles } = world.db.t
    const [row] = await world.db.q.select().from(throttles).where(eq(throttles.key, key))
    expect(row?.failures).toBe(20)
  })

  test('orders text by bytes and sums big numbers as numbers', async () => {
    await world.db.write(async ({ q, t }) => {
      for (const key of ['B', 'a', '_']) {
        await q.insert(t.lfs_objects).values({
          sha256: `sum-${key}`,
          key,
          size: 2 ** 40,
          created_at: new Date(),
          touched_at: new Date(),
        })
      }
    })
    const { lfs_objects } = world.db.t
    const rows = await world.db.q.select().from(lfs_objects).orderBy(asc(lfs_objects.key))
    expect(rows.map((row) => row.key)).toEqual(['B', '_', 'a'])
    const [total] = await world.db.q
      .select({ bytes: sum(lfs_objects.size).mapWith(Number) })
      .from(lfs_objects)
    expect(total?.bytes).toBe(3 * 2 ** 40)
  })

  test('reads many rows as one value, and none as an empty list', async () => {
    const made = ['one', "two's", '"three"'].map(space)
    await world.db.write(async ({ q, t }) => {
      await q.insert(t.namespaces).values(made)
    })
    const { namespaces: n } = world.db.t
    const row = jsonRow({ name: n.name, createdAt: n.created_at, bio: n.bio })
    const named = async (names: string[]) =>
      (
        await world.db.q
          .select({ all: row.all([n.name]) })
          .from(n)
          .where(anyOf(n.name, names))
      )[0]?.all
    const names = made.map(({ name }) => name)
    expect(await named([...names, 'four'])).toEqual(
      names.toSorted().map((name) => ({ name, createdAt: made[0]?.created_at, bio: null })),
    )
    expect(await named(['four'])).toEqual([])
    expect(await named([])).toEqual([])
  })

  test('a snapshot does not see a write that commits while it is read', async () => {
    const { blob_deletions } = world.db.t
    const counts = await world.db.snapshot(async ({ q }) => {
      const before = await q.$count(blob_deletions)
      const write = world.db.write(async ({ q, t }) => {
        await q.insert(t.blob_deletions).values({ key: newId(), at: new Date() })
      })
      if (world.db.engine === 'postgres') await write
      return [before, await q.$count(blob_deletions)]
    })
    expect(counts[1]).toBe(counts[0])
  })
})
