import { expect, test } from 'vitest'
import { add, givenCommit } from '../../rooms/content/testing.ts'
import { eachDatabase, givenRepo, givenUser } from '../../testing.ts'
import { hubOver } from './testing.ts'

eachDatabase('commit lists of the hub surface', (world) => {
  test('pages go on behind the last commit shown, whatever comes after, and p jumps to a page', async () => {
    const ada = await givenUser(world, 'ada')
    const repo = await givenRepo(world, ada, { name: 'long' })
    const commit = (title: string, path = 'a.txt') =>
      givenCommit(world, ada, repo, [add(path, title)], { title })
    for (const title of ['c1', 'c2', 'c3', 'c4']) await commit(title, title === 'c2' ? 'b.txt' : 'a.txt')
    const hub = await hubOver(world).as(ada)
    const list = async (query: string) => {
      const { body, header } = await hub.get<{ title: string }[]>(query)
      const next = /^<http:\/\/[^/]+([^>]+)>; rel="next"$/.exec(header('Link') ?? '')?.[1]
      return { titles: body.map(({ title }) => title), total: header('X-Total-Count'), next }
    }
    const base = '/api/models/ada/long/commits/main'
    const first = await list(`${base}?limit=2`)
    expect(first).toMatchObject({ titles: ['c4', 'c3'], total: '5', next: expect.any(String) })
    await commit('c5')
    const second = await list(first.next ?? '')
    expect(second).toMatchObject({ titles: ['c2', 'c1'], total: '5', next: expect.any(String) })
    expect(await list(second.next ?? '')).toEqual({ titles: ['initial commit'], total: '5', next: undefined })
    const jumped = await list(`${base}?limit=2&p=1`)
    expect(jumped).toMatchObject({ titles: ['c3', 'c2'], total: '6', next: expect.any(String) })
    expect(await list(jumped.next ?? '')).toMatchObject({ titles: ['c1', 'initial commit'], next: undefined })
    const ofFile = await list(`${base}/a.txt?limit=3`)
    expect(ofFile).toMatchObject({ titles: ['c5', 'c4', 'c3'], total: '4' })
    expect(await list(ofFile.next ?? '')).toEqual({ titles: ['c1'], total: '4', next: undefined })
    expect((await list(`${base}?p=9`)).titles).toEqual([])
  })
})
