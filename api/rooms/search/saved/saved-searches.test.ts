import { beforeAll, expect, test } from 'vitest'
import { anonymous, type UserActor } from '../../../core/access/index.ts'
import { codeOf } from '../../../core/lfs/testing.ts'
import { eachDatabase, givenUser } from '../../../testing.ts'
import { deleteSavedSearch, listSavedSearches, saveSearch, updateSavedSearch } from './saved-searches.ts'

eachDatabase('saved searches', (world) => {
  let ada: UserActor
  let made = 0
  beforeAll(async () => {
    ada = await givenUser(world, 'ada')
  })
  const save = (name: string, actor = ada, list: 'models' | 'datasets' = 'models') =>
    saveSearch(world.ctx(actor), { list, name, query: 'task=fill-mask&sort=likes' })
  const namesOf = async (actor: UserActor) =>
    (await listSavedSearches(world.ctx(actor))).map(({ name, list }) => `${list} ${name}`)
  const fresh = () => givenUser(world, `user-${++made}`)

  test('are listed by name to the person alone', async () => {
    const [one, other] = [await fresh(), await fresh()]
    await save('Small', one)
    await save('Big', one, 'datasets')
    expect(await namesOf(one)).toEqual(['datasets Big', 'models Small'])
    expect(await namesOf(other)).toEqual([])
    expect(await codeOf(listSavedSearches(world.ctx(anonymous)))).toBe('unauthenticated')
  })

  test('have one name each in a list', async () => {
    const one = await fresh()
    const first = await save('Same', one)
    await save('Same', one, 'datasets')
    await save('Same', await fresh())
    expect(await codeOf(save('Same', one))).toBe('already-exists')
    const second = await save('Other', one)
    expect(await codeOf(updateSavedSearch(world.ctx(one), second.id, { name: 'Same' }))).toBe(
      'already-exists',
    )
    expect(await updateSavedSearch(world.ctx(one), first.id, { name: 'Same' })).toEqual(first)
  })

  test('are renamed, changed and deleted by their owner alone', async () => {
    const [one, other] = [await fresh(), await fresh()]
    const { id } = await save('Mine', one)
    expect(await updateSavedSearch(world.ctx(one), id, { query: 'q=bert' })).toMatchObject({
      name: 'Mine',
      query: 'q=bert',
    })
    expect(await codeOf(updateSavedSearch(world.ctx(other), id, { name: 'Yours' }))).toBe('not-found')
    expect(await codeOf(deleteSavedSearch(world.ctx(other), id))).toBe('not-found')
    expect(await namesOf(one)).toEqual(['models Mine'])
    await deleteSavedSearch(world.ctx(one), id)
    expect(await namesOf(one)).toEqual([])
    expect(await codeOf(deleteSavedSearch(world.ctx(one), id))).toBe('not-found')
  })

  test('are at most a hundred, also of two that come at once', async () => {
    const one = await fresh()
    for (let i = 0; i < 99; i++) await save(`search ${i}`, one)
    const codes = await Promise.all([codeOf(save('last', one)), codeOf(save('too many', one))])
    expect(codes.filter((code) => code === 'validation-failed')).toHaveLength(1)
    expect(await namesOf(one)).toHaveLength(100)
  })
})
