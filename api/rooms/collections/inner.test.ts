import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { Actor } from '../../core/access/index.ts'
import { eachDatabase, givenRepo, givenUser } from '../../testing.ts'
import {
  addItem,
  createCollection,
  deleteCollection,
  getCollection,
  listCollections,
  updateCollection,
  updateItem,
  type CollectionAddress,
  type ItemRef,
} from './index.ts'
import { givenCollection } from './testing.ts'

const page = { sort: 'updated', limit: 50 } as const
const refTo = (at: CollectionAddress): ItemRef => ({ type: 'collection', ...at })

eachDatabase('collections in collections', (world) => {
  const titles = async (actor: Actor, at: CollectionAddress) =>
    (await getCollection(world.ctx(actor), at)).items.map(
      ({ repo, collection }) => repo?.name ?? collection?.title,
    )
  const add = (actor: Actor, at: CollectionAddress, item: ItemRef) => addItem(world.ctx(actor), at, { item })

  test('a collection stands among repos, once, also under a former slug, and is moved like them', async () => {
    const ada = await givenUser(world, 'ada')
    const ctx = world.ctx(ada)
    const repo = await givenRepo(world, ada, { name: 'tiny' })
    const inner = await givenCollection(world, ada, [repo], { title: 'Inner' })
    const outer = await givenCollection(world, ada, [repo], { title: 'Outer' })
    const whole = await addItem(ctx, outer, { item: refTo(inner), note: 'More.' })
    expect(whole).toMatchObject({
      count: 2,
      items: [
        { position: 0, repo: { name: 'tiny' } },
        { position: 1, note: 'More.', collection: { title: 'Inner', count: 1 } },
      ],
    })
    await updateCollection(ctx, inner, { title: 'Renamed' })
    expect(await titles(ada, outer)).toEqual(['tiny', 'Renamed'])
    await expect(add(ada, outer, refTo(inner))).rejects.toMatchObject({ code: 'already-exists' })
    await updateItem(ctx, { ...outer, id: whole.items[1]?.id ?? '' }, { position: 0 })
    expect(await titles(ada, outer)).toEqual(['Renamed', 'tiny'])
    const { items } = await listCollections(ctx, { items: [refTo(inner)] }, page)
    expect(items).toMatchObject([{ collection: { title: 'Outer' }, count: 2 }])
    const made = await createCollection(ctx, {
      ns: 'ada',
      title: 'Third',
      visibility: 'public',
      item: { item: refTo(inner) },
    })
    expect(made.items).toMatchObject([{ collection: { title: 'Renamed' } }])
    const { audit } = world.db.t
    const rows = await world.db.q.select().from(audit).where(eq(audit.action, 'collection.item.add'))
    expect(rows.map(({ after }) => after)).toContainEqual({ collection: `ada/${inner.slug}` })
  })

  test('two contain each other, none itself', async () => {
    const bob = await givenUser(world, 'bob')
    const [a, b] = [
      await givenCollection(world, bob, [], { title: 'A' }),
      await givenCollection(world, bob, [], { title: 'B' }),
    ]
    await add(bob, a, refTo(b))
    await add(bob, b, refTo(a))
    expect([await titles(bob, a), await titles(bob, b)]).toEqual([['B'], ['A']])
    await expect(add(bob, a, refTo(a))).rejects.toMatchObject({
      code: 'validation-failed',
      errors: [{ field: 'item', code: 'itself' }],
    })
  })

  test('hidden ones are left out with their count, in themselves and in what they are in', async () => {
    const [cid, dan] = [await givenUser(world, 'cid'), await givenUser(world, 'dan')]
    const secret = await givenRepo(world, cid, { name: 'secret', visibility: 'private' })
    const shown = await givenCollection(world, cid, [secret], { title: 'Shown' })
    const hidden = await givenCollection(world, cid, [], { title: 'Hidden', visibility: 'private' })
    const shelf = await givenCollection(world, cid, [], { title: 'Shelf' })
    await add(cid, shelf, refTo(hidden))
    await add(cid, shelf, refTo(shown))
    expect(await titles(cid, shelf)).toEqual(['Hidden', 'Shown'])
    expect(await getCollection(world.ctx(dan), shelf)).toMatchObject({
      count: 1,
      items: [{ position: 0, collection: { title: 'Shown', count: 0 } }],
    })
    const listed = async (actor: Actor, at: CollectionAddress) =>
      (await listCollections(world.ctx(actor), { items: [refTo(at)] }, page)).items.length
    expect([await listed(cid, hidden), await listed(dan, hidden), await listed(dan, shown)]).toEqual([
      1, 0, 1,
    ])
    const own = await givenCollection(world, dan)
    const absent = { ns: 'cid', slug: 'hidden-0123456789abcdef01234567' }
    for (const at of [hidden, absent])
      await expect(add(dan, own, refTo(at))).rejects.toMatchObject({
        code: 'not-found',
        detail: 'There is no such collection.',
      })
  })

  test('a deleted one disappears from the others; what was in it stays', async () => {
    const eve = await givenUser(world, 'eve')
    const repo = await givenRepo(world, eve, { name: 'kept' })
    const inner = await givenCollection(world, eve, [repo], { title: 'Gone soon' })
    const outer = await givenCollection(world, eve)
    await add(eve, outer, refTo(inner))
    await add(eve, outer, repo)
    await deleteCollection(world.ctx(eve), inner)
    expect(await getCollection(world.ctx(eve), outer)).toMatchObject({
      count: 1,
      items: [{ position: 0, repo: { name: 'kept' } }],
    })
  })
})
