import { expect, test } from 'vitest'
import type { Actor } from '../../core/access/index.ts'
import type { Repo } from '../repos/index.ts'
import { eachDatabase, givenRepo, givenUser } from '../../testing.ts'
import {
  getCollection,
  listCollections,
  updateCollection,
  updateItem,
  type CollectionAddress,
} from './index.ts'
import { givenCollection } from './testing.ts'

eachDatabase('lists of collections', (world) => {
  const itemOf = async (actor: Actor, at: CollectionAddress, repo: Repo) => {
    const { items } = await getCollection(world.ctx(actor), at)
    return items.find((item) => item.repo?.id === repo.id)?.id ?? ''
  }

  test('a namespace keeps its collections in an order of its own', async () => {
    const pia = await givenUser(world, 'pia')
    const [, , third] = [
      await givenCollection(world, pia, [], { title: 'One' }),
      await givenCollection(world, pia, [], { title: 'Two', visibility: 'private' }),
      await givenCollection(world, pia, [], { title: 'Three' }),
    ]
    const titles = async (limit = 50) => {
      const found: string[] = []
      let after = undefined
      do {
        const { items, next } = await listCollections(
          world.ctx(pia),
          { owners: ['pia'] },
          { sort: 'position', after, limit },
        )
        found.push(...items.map(({ collection }) => collection.title))
        after = next
      } while (after)
      return found
    }
    expect(await titles()).toEqual(['One', 'Two', 'Three'])
    await updateCollection(world.ctx(pia), third, { position: 0 })
    expect([await titles(), await titles(1)]).toEqual([
      ['Three', 'One', 'Two'],
      ['Three', 'One', 'Two'],
    ])
  })

  test('lists go by the last change, words and pages, and show four items of each', async () => {
    const quy = await givenUser(world, 'quy')
    const repos: Repo[] = []
    for (const name of 'abcde') repos.push(await givenRepo(world, quy, { name }))
    const first = await givenCollection(world, quy, repos, {
      title: 'Zebra One',
      description: 'of 100% wool',
    })
    world.clock.now = new Date(world.clock.now.getTime() + 1000)
    await givenCollection(world, quy, [], { title: 'zebra two' })
    const list = (words: string[], limit = 50) =>
      listCollections(world.ctx(quy), { words }, { sort: 'updated', limit })
    const titles = async (words: string[]) =>
      (await list(words)).items.map(({ collection }) => collection.title)
    expect(await titles(['ZEBRA'])).toEqual(['zebra two', 'Zebra One'])
    expect(await titles(['zebra', '100%'])).toEqual(['Zebra One'])
    expect(await titles(['zebra_'])).toEqual([])
    world.clock.now = new Date(world.clock.now.getTime() + 1000)
    const id = await itemOf(quy, first, repos[4] as Repo)
    await updateItem(world.ctx(quy), { ...first, id }, { note: 'x' })
    const { items, next } = await list(['zebra'], 1)
    expect(items).toMatchObject([{ collection: { title: 'Zebra One' }, count: 5 }])
    expect(items[0]?.items.map(({ repo }) => repo?.name)).toEqual(['a', 'b', 'c', 'd'])
    const rest = await listCollections(
      world.ctx(quy),
      { words: ['zebra'] },
      { sort: 'updated', after: next, limit: 1 },
    )
    expect(rest).toMatchObject({ items: [{ collection: { title: 'zebra two' } }] })
    expect(rest.next).toBeUndefined()
  })
})
