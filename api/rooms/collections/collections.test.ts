import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { limits } from '../../../shared/vocabulary.ts'
import { anonymous, type Actor } from '../../core/access/index.ts'
import { deleteOrg } from '../namespaces/delete-org.ts'
import { getNamespace } from '../namespaces/get-namespace.ts'
import { eachDatabase, givenOrg, givenToken, givenUser } from '../../testing.ts'
import {
  createCollection,
  deleteCollection,
  getCollection,
  listCollections,
  slugOf,
  updateCollection,
} from './index.ts'
import { givenCollection } from './testing.ts'

const page = { sort: 'position', limit: 50 } as const

eachDatabase('Collections', (world) => {
  const audited = async (action: string) => {
    const { audit } = world.db.t
    return world.db.q.select().from(audit).where(eq(audit.action, action))
  }

  test('who may write in the namespace makes and changes them, its admins delete them', async () => {
    const [ada, bob, cid, dan] = [
      await givenUser(world, 'ada'),
      await givenUser(world, 'bob'),
      await givenUser(world, 'cid'),
      await givenUser(world, 'dan'),
    ]
    await givenOrg(world, 'lab', ada, [
      [bob, 'write'],
      [cid, 'read'],
    ])
    const wanted = { ns: 'LAB', title: 'Ours', visibility: 'public' } as const
    await expect(createCollection(world.ctx(cid), wanted)).rejects.toMatchObject({ code: 'forbidden' })
    await expect(createCollection(world.ctx(anonymous), wanted)).rejects.toMatchObject({
      code: 'unauthenticated',
    })
    const at = await givenCollection(world, bob, [], wanted)
    expect(at.ns).toBe('lab')
    const change = (actor: Actor, title: string) => updateCollection(world.ctx(actor), at, { title })
    expect((await change(bob, 'Theirs')).collection.title).toBe('Theirs')
    await expect(change(cid, 'Mine')).rejects.toMatchObject({ code: 'forbidden' })
    await expect(change(dan, 'Mine')).rejects.toMatchObject({ code: 'forbidden' })
    const { actor: reading } = await givenToken(world, bob, { scopes: ['read'] })
    await expect(change(reading, 'Mine')).rejects.toMatchObject({ code: 'insufficient-scope' })
    await expect(deleteCollection(world.ctx(bob), at)).rejects.toMatchObject({ code: 'forbidden' })
    await deleteCollection(world.ctx(ada), at)
    await expect(getCollection(world.ctx(ada), at)).rejects.toMatchObject({ code: 'not-found' })
    expect(await audited('collection.create')).toMatchObject([{ target_name: 'lab/Ours' }])
    expect(await audited('collection.update')).toMatchObject([
      { before: { title: 'Ours' }, after: { title: 'Theirs' } },
    ])
    expect(await audited('collection.delete')).toHaveLength(1)
  })

  test('a private one is there for members of its namespace alone', async () => {
    const [eve, fay, gus] = [
      await givenUser(world, 'eve'),
      await givenUser(world, 'fay'),
      await givenUser(world, 'gus'),
    ]
    const root = await givenUser(world, 'root', { isAdmin: true })
    await givenOrg(world, 'quiet', eve, [[fay, 'read']])
    const at = await givenCollection(world, eve, [], { ns: 'quiet', title: 'Plans', visibility: 'private' })
    const open = await givenCollection(world, eve, [], { ns: 'quiet', title: 'Open' })
    const seen = async (actor: Actor) => {
      const { items } = await listCollections(world.ctx(actor), { owners: ['quiet'] }, page)
      return items.map(({ collection }) => collection.title)
    }
    for (const member of [eve, fay, root]) expect(await seen(member)).toEqual(['Plans', 'Open'])
    expect(await seen(gus)).toEqual(['Open'])
    for (const verb of [getCollection, deleteCollection])
      await expect(verb(world.ctx(gus), at)).rejects.toMatchObject({ code: 'not-found' })
    await expect(updateCollection(world.ctx(gus), at, { title: 'x' })).rejects.toMatchObject({
      code: 'not-found',
    })
    const fenced = (namespaces: string[]) => givenToken(world, eve, { fence: { namespaces } })
    const { actor: inside } = await fenced(['QUIET'])
    const { actor: outside } = await fenced(['eve'])
    expect([await seen(inside), await seen(outside)]).toEqual([['Plans', 'Open'], []])
    await expect(listCollections(world.ctx(anonymous), {}, page)).rejects.toMatchObject({
      code: 'unauthenticated',
    })
    const ctx = world.ctx(anonymous)
    const config = { ...ctx.config, security: { ...ctx.config.security, anonymous_read: true } }
    expect((await getCollection({ ...ctx, config }, open)).collection.title).toBe('Open')
    await expect(getCollection({ ...ctx, config }, at)).rejects.toMatchObject({ code: 'not-found' })
  })

  test('a namespace counts those that the caller may see, and is not deleted while it has one', async () => {
    const [tia, uma] = [await givenUser(world, 'tia'), await givenUser(world, 'uma')]
    await givenOrg(world, 'museum', tia)
    const at = await givenCollection(world, tia, [], { ns: 'museum', visibility: 'private' })
    await givenCollection(world, tia, [], { ns: 'museum' })
    const count = async (actor: Actor) => (await getNamespace(world.ctx(actor), 'museum')).counts.collections
    expect([await count(tia), await count(uma)]).toEqual([2, 1])
    const { items } = await listCollections(world.ctx(tia), { owners: ['museum'] }, page)
    for (const { collection } of items.slice(1))
      await deleteCollection(world.ctx(tia), { ns: 'museum', slug: slugOf(collection) })
    await expect(deleteOrg(world.ctx(tia), 'museum')).rejects.toMatchObject({ code: 'org-not-empty' })
    await deleteCollection(world.ctx(tia), at)
    await deleteOrg(world.ctx(tia), 'museum')
  })

  test('an old title still leads to it, and no other namespace does', async () => {
    const hal = await givenUser(world, 'hal')
    const at = await givenCollection(world, hal, [], { title: 'First title' })
    await updateCollection(world.ctx(hal), at, { title: 'Second title' })
    const { collection } = await getCollection(world.ctx(hal), at)
    expect(collection.title).toBe('Second title')
    await givenOrg(world, 'hals', hal)
    await expect(getCollection(world.ctx(hal), { ...at, ns: 'hals' })).rejects.toMatchObject({
      code: 'not-found',
    })
    expect((await getCollection(world.ctx(hal), { ...at, ns: 'HAL' })).collection.ns).toBe('hal')
  })

  test('a title is one of its namespace alone, also when two are made at once', async () => {
    const ivy = await givenUser(world, 'ivy')
    const wanted = { ns: 'ivy', title: 'Same', visibility: 'private' } as const
    const make = () => createCollection(world.ctx(ivy), wanted)
    const made = await Promise.allSettled([make(), make(), make()])
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    await expect(make()).rejects.toMatchObject({
      code: 'already-exists',
      members: { slug: expect.stringMatching(/^ivy\/same-[0-9a-f]{24}$/) },
    })
    const other = await givenCollection(world, ivy, [], { title: 'Other' })
    await expect(updateCollection(world.ctx(ivy), other, { title: 'Same' })).rejects.toMatchObject({
      code: 'already-exists',
    })
  })

  test.each([
    ['an empty title', { title: ' ' }],
    ['a long title', { title: 'x'.repeat(limits.collectionTitle + 1) }],
    ['a title with NUL', { title: 'a\0b' }],
    ['a long description', { description: 'x'.repeat(limits.collectionDescription + 1) }],
  ])('refuses %s', async (_, change) => {
    const sam = await givenUser(world, `sam-${Math.random().toString(36).slice(2)}`)
    const at = await givenCollection(world, sam)
    await expect(updateCollection(world.ctx(sam), at, change)).rejects.toMatchObject({
      code: 'validation-failed',
    })
  })
})
