import { expect, test } from 'vitest'
import { anonymous } from '../../core/access/index.ts'
import { givenCollection } from '../collections/testing.ts'
import { appOf, eachDatabase, givenOrg, givenRepo, givenToken, givenUser } from '../../testing.ts'
import { mountSearch } from './handlers.ts'
import { search, type SearchType } from './search.ts'

const both: SearchType[] = ['repos', 'namespaces']

eachDatabase('search', (world) => {
  test('names that begin with the text come first, then names that contain it, then descriptions', async () => {
    const ada = await givenUser(world, 'ada')
    await givenRepo(world, ada, { name: 'tiny-BERT' })
    await givenRepo(world, ada, { name: 'bert-large' })
    await givenRepo(world, ada, { name: 'other', description: 'Better than bert' })
    await givenRepo(world, ada, { type: 'dataset', name: 'unrelated' })
    const { repos } = await search(world.ctx(ada), 'Bert', both, { limit: 50 })
    expect(repos.map(({ name }) => name)).toEqual(['bert-large', 'tiny-BERT', 'other'])
    expect((await search(world.ctx(ada), 'ada/t', both, { limit: 50 })).repos).toMatchObject([
      { name: 'tiny-BERT' },
    ])
    expect((await search(world.ctx(ada), 'bert', both, { limit: 1 })).repos).toHaveLength(1)
  })

  test('finds users and organisations by name and display name', async () => {
    const bob = await givenUser(world, 'bob')
    await givenOrg(world, 'bobs-lab', bob)
    await givenUser(world, 'rob', { displayName: 'Robert Bobbin' })
    const { namespaces, repos } = await search(world.ctx(bob), 'bob', ['namespaces'], { limit: 50 })
    expect(namespaces.map(({ ns }) => ns)).toEqual(['bob', 'bobs-lab', 'rob'])
    expect(repos).toEqual([])
  })

  test('finds collections by title and description, of those the caller may see', async () => {
    const [hal, ivy] = [await givenUser(world, 'hal'), await givenUser(world, 'ivy')]
    await givenCollection(world, hal, [], { title: 'Best quokkas' })
    await givenCollection(world, hal, [], { title: 'Quokka plans', visibility: 'private' })
    await givenCollection(world, ivy, [], { title: 'Animals', description: 'A quokka and a wombat' })
    const titles = async (actor: Parameters<typeof world.ctx>[0]) =>
      (await search(world.ctx(actor), 'QUOKKA', ['collections'], { limit: 50 })).collections.map(
        ({ title }) => title,
      )
    expect(await titles(hal)).toEqual(['Quokka plans', 'Best quokkas', 'Animals'])
    expect(await titles(ivy)).toEqual(['Best quokkas', 'Animals'])
    const { collections } = await search(world.ctx(ivy), 'wombat', ['collections'], { limit: 50 })
    expect(collections).toMatchObject([{ ns: 'ivy', slug: expect.stringMatching(/^animals-[0-9a-f]{24}$/) }])
  })

  test('never shows hidden results', async () => {
    const [cid, eve] = [await givenUser(world, 'cid'), await givenUser(world, 'eve')]
    await givenRepo(world, cid, { name: 'xyzzy-private' })
    await givenRepo(world, cid, { name: 'xyzzy-public', visibility: 'public' })
    const names = async (actor: Parameters<typeof world.ctx>[0]) =>
      (await search(world.ctx(actor), 'xyzzy', both, { limit: 50 })).repos.map(({ name }) => name)
    expect(await names(eve)).toEqual(['xyzzy-public'])
    expect(await names(cid)).toEqual(['xyzzy-private', 'xyzzy-public'])
    await expect(names(anonymous)).rejects.toMatchObject({ code: 'unauthenticated' })
    const { actor } = await givenToken(world, cid, { fence: { namespaces: ['eve'] } })
    expect(await names(actor)).toEqual([])
    expect((await search(world.ctx(actor), 'i', both, { limit: 50 })).namespaces).toEqual([])
  })

  test('takes wildcards literally', async () => {
    const dan = await givenUser(world, 'dan')
    await givenRepo(world, dan, { name: 'a_c' })
    await givenRepo(world, dan, { name: 'abc', description: '50% off' })
    expect((await search(world.ctx(dan), 'a_c', both, { limit: 50 })).repos).toMatchObject([{ name: 'a_c' }])
    expect((await search(world.ctx(dan), '%', both, { limit: 50 })).repos).toMatchObject([{ name: 'abc' }])
  })

  test.each([
    ['q=%20', 422],
    ['types=repos', 422],
    ['q=a&types=users', 422],
    ['q=a&limit=501', 422],
    ['q=%00', 422],
    ['q=a&types=repos,namespaces,collections', 200],
  ])('GET /search?%s answers %i', async (query, status) => {
    const user = await givenUser(world, `u${Math.random().toString(36).slice(2)}`)
    const { secret } = await givenToken(world, user)
    const app = appOf(world, { native: [mountSearch] })
    const response = await app.request(`/api/service/v1/search?${query}`, {
      headers: { Authorization: `Bearer ${secret}` },
    })
    expect(response.status).toBe(status)
  })
})
