import { expect, test } from 'vitest'
import type { UserActor } from '../../core/access/index.ts'
import { eachDatabase, givenUser, type World } from '../../testing.ts'
import {
  getCollection,
  listCollections,
  updateCollection,
  upvoteCollection,
  type CollectionAddress,
  type CollectionSort,
} from './index.ts'
import { givenCollection } from './testing.ts'

const fencedTo = (actor: UserActor, ns: string, scopes: ('read' | 'write')[] = ['write']): UserActor => ({
  ...actor,
  auth: {
    kind: 'token',
    tokenId: 't',
    tokenName: 'fenced',
    scopes,
    fence: { namespaces: [ns] },
    createdAt: new Date(0),
    expiresAt: null,
  },
})

const later = (world: World, days: number) => {
  world.clock.now = new Date(world.clock.now.getTime() + days * 86_400_000)
}

eachDatabase('upvotes of collections', (world) => {
  test('each person counts once, however often and however many at once', async () => {
    const [ann, ben] = [await givenUser(world, 'ann'), await givenUser(world, 'ben')]
    const people = [ann, ben, await givenUser(world, 'cat')]
    const at = await givenCollection(world, ann)
    const before = await getCollection(world.ctx(ann), at)
    later(world, 1)
    await Promise.all([...people, ...people].map((person) => upvoteCollection(world.ctx(person), at, true)))
    const seen = async (actor: UserActor) => {
      const { collection } = await getCollection(world.ctx(actor), at)
      return [collection.upvotes, collection.isUpvoted]
    }
    expect(await seen(ben)).toEqual([3, true])
    expect(await upvoteCollection(world.ctx(ben), at, true)).toEqual({ upvoted: true, upvotes: 3 })
    expect(await upvoteCollection(world.ctx(ben), at, false)).toEqual({ upvoted: false, upvotes: 2 })
    expect(await upvoteCollection(world.ctx(ben), at, false)).toEqual({ upvoted: false, upvotes: 2 })
    expect([await seen(ben), await seen(ann)]).toEqual([
      [2, false],
      [2, true],
    ])
    const after = await getCollection(world.ctx(ann), at)
    expect([after.etag, after.collection.updatedAt]).toEqual([before.etag, before.collection.updatedAt])
  })

  test('who may not see it, is not signed in, or holds a lesser token may not', async () => {
    const [dot, eli] = [await givenUser(world, 'dot'), await givenUser(world, 'eli')]
    const open = await givenCollection(world, dot)
    const kept = await givenCollection(world, dot, [], { visibility: 'private' })
    const upvote = (actor: UserActor, at: CollectionAddress) => upvoteCollection(world.ctx(actor), at, true)
    await expect(upvote(eli, kept)).rejects.toMatchObject({ code: 'not-found' })
    await expect(upvoteCollection(world.ctx(), open, true)).rejects.toMatchObject({ code: 'unauthenticated' })
    await expect(upvote(fencedTo(eli, 'dot', ['read']), open)).rejects.toMatchObject({
      code: 'insufficient-scope',
    })
    const { config } = world.deps
    const anonymousRead = { ...config, security: { ...config.security, anonymous_read: true } }
    const elsewhere = { ...world.ctx(fencedTo(eli, 'eli')), config: anonymousRead }
    await expect(upvoteCollection(elsewhere, open, true)).rejects.toMatchObject({ code: 'forbidden' })
    const anonymous = { ...world.ctx(), config: anonymousRead }
    await expect(upvoteCollection(anonymous, open, true)).rejects.toMatchObject({ code: 'unauthenticated' })
    expect(await upvote(fencedTo(eli, 'dot'), open)).toEqual({ upvoted: true, upvotes: 1 })
  })

  test('upvotes, upvotes of late and changes are three orders, each cut into pages', async () => {
    const fay = await givenUser(world, 'fay')
    const people = [fay, await givenUser(world, 'gil'), await givenUser(world, 'hub')]
    const given = async (title: string, upvoters: number) => {
      later(world, 1 / 24)
      const at = await givenCollection(world, fay, [], { title: `Rank ${title}` })
      for (const person of people.slice(0, upvoters)) await upvoteCollection(world.ctx(person), at, true)
      return at
    }
    const classic = await given('classic', 3)
    later(world, 9)
    await given('quiet', 0)
    await given('new', 2)
    await given('one', 1)
    later(world, 1 / 24)
    await updateCollection(world.ctx(fay), classic, { description: 'Changed last.' })
    const order = async (sort: CollectionSort, limit: number) => {
      const found: string[] = []
      let after = undefined
      do {
        const { items, next } = await listCollections(
          world.ctx(fay),
          { words: ['rank'] },
          { sort, after, limit },
        )
        found.push(...items.map(({ collection }) => collection.title.slice(5)))
        after = next
      } while (after)
      return found
    }
    for (const limit of [50, 1]) {
      expect(await order('updated', limit)).toEqual(['classic', 'one', 'new', 'quiet'])
      expect(await order('upvotes', limit)).toEqual(['classic', 'new', 'one', 'quiet'])
      expect(await order('trending', limit)).toEqual(['new', 'one', 'classic', 'quiet'])
    }
  })
})
