import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { Finding } from '../../core/check.ts'
import { eachDatabase, givenRepo, givenUser, type World } from '../../testing.ts'
import { collectionCheck } from './checks.ts'
import { getCollection, upvoteCollection } from './index.ts'
import { givenCollection } from './testing.ts'

async function findings(world: World, repair = false): Promise<Finding[]> {
  const found: Finding[] = []
  for await (const each of collectionCheck.run(world.deps, { deep: false, repair })) found.push(each)
  return found
}

const item = (collection_id: string) => ({ id: 'none', collection_id, position: 9, added_at: new Date() })

eachDatabase('the check of collections', (world) => {
  test('finds a namespace gone, wrong counts, items of nothing and items in one place, and repairs these', async () => {
    const ada = await givenUser(world, 'ada')
    const repos = [await givenRepo(world, ada), await givenRepo(world, ada), await givenRepo(world, ada)]
    const at = await givenCollection(world, ada, repos)
    expect(await findings(world)).toEqual([])
    const { collection, items } = await getCollection(world.ctx(ada), at)
    await world.db.write(({ q, t }) => q.update(t.collection_items).set({ position: 1 }))
    expect(await findings(world)).toMatchObject([{ check: 'collections.order' }])
    expect(await findings(world, true)).toMatchObject([{ check: 'collections.order', repaired: true }])
    expect(await findings(world)).toEqual([])
    await upvoteCollection(world.ctx(ada), at, true)
    await world.db.write(({ q, t }) => q.update(t.collections).set({ upvotes: 7 }))
    expect(await findings(world)).toMatchObject([{ check: 'collections.upvotes' }])
    expect(await findings(world, true)).toMatchObject([{ check: 'collections.upvotes', repaired: true }])
    expect(await findings(world)).toEqual([])
    expect((await getCollection(world.ctx(ada), at)).collection.upvotes).toBe(1)
    const wrong = item(collection.id)
    await world.db.write(({ q, t }) =>
      q
        .insert(t.collection_items)
        .values([wrong, { ...wrong, id: 'self', item_collection_id: collection.id }]),
    )
    expect(await findings(world)).toMatchObject([
      { check: 'collections.item' },
      { check: 'collections.item' },
      { check: 'collections.order' },
    ])
    expect(await findings(world, true)).toHaveLength(2)
    expect(await findings(world)).toEqual([])
    const after = await getCollection(world.ctx(ada), at)
    expect(after.items.map(({ id }) => id)).toEqual(items.map(({ id }) => id))
    await world.db.write(({ q, t }) =>
      q.update(t.collections).set({ namespace_id: 'gone' }).where(eq(t.collections.id, collection.id)),
    )
    expect(await findings(world)).toMatchObject([{ check: 'collections.namespace' }])
  })
})
