import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { limits } from '../../../shared/vocabulary.ts'
import type { Actor } from '../../core/access/index.ts'
import { newId } from '../../stores/db/index.ts'
import { deleteRepo, renameRepo, updateRepo, type Repo } from '../repos/index.ts'
import { restoreRepo } from '../repos/lifecycle/restore.ts'
import { eachDatabase, givenOrg, givenRepo, givenUser } from '../../testing.ts'
import {
  addItem,
  getCollection,
  listCollections,
  removeItem,
  updateItem,
  type CollectionAddress,
} from './index.ts'
import { givenCollection } from './testing.ts'

const page = { sort: 'position', limit: 50 } as const

eachDatabase('items of collections', (world) => {
  const names = async (actor: Actor, at: CollectionAddress) =>
    (await getCollection(world.ctx(actor), at)).items.map(({ repo }) => repo?.name)
  const itemOf = async (actor: Actor, at: CollectionAddress, repo: Repo) => {
    const { items } = await getCollection(world.ctx(actor), at)
    return items.find((item) => item.repo?.id === repo.id)?.id ?? ''
  }
  const audited = async (action: string) => {
    const { audit } = world.db.t
    return world.db.q.select().from(audit).where(eq(audit.action, action))
  }

  test('items a caller may not see are left out, and so are their places and their number', async () => {
    const [jan, kim] = [await givenUser(world, 'jan'), await givenUser(world, 'kim')]
    const [a, b, c] = [
      await givenRepo(world, jan, { name: 'a', visibility: 'private' }),
      await givenRepo(world, jan, { name: 'b', visibility: 'public' }),
      await givenRepo(world, jan, { type: 'dataset', name: 'c', visibility: 'public' }),
    ]
    const at = await givenCollection(world, jan, [a, b, c])
    const shown = await getCollection(world.ctx(kim), at)
    expect(shown.items.map(({ repo, position }) => [repo?.name, position])).toEqual([
      ['b', 0],
      ['c', 1],
    ])
    expect(shown.count).toBe(2)
    const { items } = await listCollections(world.ctx(kim), { owners: ['jan'] }, page)
    expect(items).toMatchObject([{ count: 2, items: [{ position: 0 }, { position: 1 }] }])
    const containing = async (actor: Actor, repo: Repo) =>
      (await listCollections(world.ctx(actor), { items: [repo] }, page)).items.length
    expect([await containing(kim, a), await containing(jan, a), await containing(kim, b)]).toEqual([0, 1, 1])
    const own = await givenCollection(world, kim)
    await expect(addItem(world.ctx(kim), own, { item: a })).rejects.toMatchObject({ code: 'repo-not-found' })
    const nobodys = { type: 'model', ns: 'jan', name: 'none' } as const
    await expect(addItem(world.ctx(kim), own, { item: nobodys })).rejects.toMatchObject({
      code: 'repo-not-found',
    })
  })

  test('items follow what becomes of their repos', async () => {
    const lea = await givenUser(world, 'lea')
    const ctx = world.ctx(lea)
    const [a, b] = [await givenRepo(world, lea, { name: 'a' }), await givenRepo(world, lea, { name: 'b' })]
    const at = await givenCollection(world, lea, [a, b])
    await renameRepo(ctx, a, 'z')
    expect(await names(lea, at)).toEqual(['z', 'b'])
    await expect(addItem(ctx, at, { item: a })).rejects.toMatchObject({ code: 'already-exists' })
    expect((await listCollections(ctx, { items: [a] }, page)).items).toHaveLength(1)
    await deleteRepo(ctx, b)
    expect(await names(lea, at)).toEqual(['z'])
    await restoreRepo(ctx, b)
    expect(await names(lea, at)).toEqual(['z', 'b'])
    await updateRepo(ctx, b, { visibility: 'public' })
    expect(await names(lea, at)).toEqual(['z', 'b'])
  })

  test('a repo is in a collection once, however many add it at once', async () => {
    const mia = await givenUser(world, 'mia')
    const repos = await Promise.all(
      ['a', 'b', 'c', 'd'].map((name) => givenRepo(world, mia, { name, visibility: 'public' })),
    )
    const at = await givenCollection(world, mia)
    const adding = [...repos, ...repos].map((repo) => addItem(world.ctx(mia), at, { item: repo }))
    const outcomes = await Promise.allSettled(adding)
    const refused = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []))
    expect(refused).toHaveLength(4)
    for (const each of refused) expect(each).toMatchObject({ code: 'already-exists' })
    const { items } = await getCollection(world.ctx(mia), at)
    expect(items.map(({ position }) => position)).toEqual([0, 1, 2, 3])
    const raw = await world.db.q.select().from(world.db.t.collection_items)
    const places = raw.filter(({ repo_id }) => repos.some(({ id }) => id === repo_id))
    expect(places.map(({ position }) => position).toSorted()).toEqual([0, 1, 2, 3])
  })

  test('items are moved, noted and taken out; hidden ones keep their neighbours', async () => {
    const [ned, oda] = [await givenUser(world, 'ned'), await givenUser(world, 'oda')]
    await givenOrg(world, 'shelf', ned, [[oda, 'write']])
    const repos: Repo[] = []
    for (const name of ['a', 'b', 'c', 'd'])
      repos.push(await givenRepo(world, ned, { name, visibility: name === 'b' ? 'private' : 'public' }))
    const [a, , , d] = repos as [Repo, Repo, Repo, Repo]
    const at = await givenCollection(world, ned, repos, { ns: 'shelf' })
    const move = async (actor: Actor, repo: Repo, position: number) => {
      const id = await itemOf(actor, at, repo)
      await updateItem(world.ctx(actor), { ...at, id }, { position })
      return names(ned, at)
    }
    expect(await move(ned, d, 0)).toEqual(['d', 'a', 'b', 'c'])
    expect(await move(ned, d, 2)).toEqual(['a', 'b', 'd', 'c'])
    expect(await move(ned, d, 99)).toEqual(['a', 'b', 'c', 'd'])
    expect(await move(oda, a, 1)).toEqual(['b', 'c', 'a', 'd'])
    expect(await move(oda, a, 1)).toEqual(['b', 'c', 'a', 'd'])
    const id = await itemOf(oda, at, d)
    const noted = await updateItem(world.ctx(oda), { ...at, id }, { note: ' Best of all. ' })
    expect(noted.items.at(-1)).toMatchObject({ note: 'Best of all.' })
    expect((await updateItem(world.ctx(oda), { ...at, id }, { note: '' })).items.at(-1)?.note).toBeNull()
    const hidden = await itemOf(ned, at, repos[1] as Repo)
    await expect(removeItem(world.ctx(oda), { ...at, id: hidden })).rejects.toMatchObject({
      code: 'not-found',
    })
    const elsewhere = await givenCollection(world, ned)
    await expect(removeItem(world.ctx(ned), { ...elsewhere, id })).rejects.toMatchObject({
      code: 'not-found',
    })
    await removeItem(world.ctx(oda), { ...at, id })
    expect(await names(ned, at)).toEqual(['b', 'c', 'a'])
    expect(await audited('collection.item.remove')).toMatchObject([{ before: { repo: 'model/ned/d' } }])
  })

  test('a full collection takes no more', async () => {
    const rex = await givenUser(world, 'rex')
    const repo = await givenRepo(world, rex, { name: 'one-more' })
    const at = await givenCollection(world, rex)
    const { collection } = await getCollection(world.ctx(rex), at)
    await world.db.write(async ({ q, t }) => {
      const [row] = await q.select().from(t.repos).where(eq(t.repos.id, repo.id))
      if (!row) throw new Error('no repo')
      const rows = Array.from({ length: limits.collectionItems }, (_, i) => ({
        ...row,
        id: newId(),
        name: `filler-${i}`,
        name_key: `filler-${i}`,
        address_key: null,
      }))
      const [head] = await q.select().from(t.repo_heads).where(eq(t.repo_heads.repo_id, repo.id))
      if (!head) throw new Error('no head')
      const heads = rows.map(({ id }) => ({ ...head, repo_id: id }))
      for (let i = 0; i < rows.length; i += 100) {
        await q.insert(t.repos).values(rows.slice(i, i + 100))
        await q.insert(t.repo_heads).values(heads.slice(i, i + 100))
      }
      await q.insert(t.collection_items).values(
        rows.map(({ id }, position) => ({
          id: newId(),
          collection_id: collection.id,
          repo_id: id,
          position,
          added_at: world.clock.now,
        })),
      )
    })
    await expect(addItem(world.ctx(rex), at, { item: repo })).rejects.toMatchObject({
      code: 'validation-failed',
      errors: [{ field: 'item', code: 'full' }],
    })
    expect((await getCollection(world.ctx(rex), at)).count).toBe(limits.collectionItems)
  })
})
