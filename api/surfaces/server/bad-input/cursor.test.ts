import { beforeAll, expect, test } from 'vitest'
import { buildApp } from '../../../app/app.ts'
import { eachDatabase } from '../../../testing.ts'
import type { App } from '../../../core/http/env.ts'
import { baseRequest, send, type BaseRequest } from '../testing/base-request.ts'
import { operationsOf, type Operation } from '../testing/operations.ts'
import { givenScene, type Scene } from '../testing/scene.ts'

const flipped = (cursor: string, at: number) =>
  cursor.slice(0, at) + (cursor[at] === 'A' ? 'B' : 'A') + cursor.slice(at + 1)

eachDatabase('cursors', (world) => {
  let app: App
  let scene: Scene
  let lists: Operation[]
  const genuine = new Map<string, string>()

  async function page(list: Operation, more: [string, string][], sender: BaseRequest['sender'] = 'owner') {
    const base = await baseRequest(app, list, scene)
    const answer = await send(app, list, scene, { ...base, query: [...base.query, ...more], sender })
    return { status: answer.status, json: (await answer.json()) as { code?: string; next_cursor?: string } }
  }

  beforeAll(async () => {
    app = buildApp(world.deps, { state: 'ready', check: async () => undefined })
    scene = await givenScene(world)
    lists = (await operationsOf(app)).filter(({ parameters }) =>
      parameters.some(({ name }) => name === 'cursor'),
    )
    for (const list of lists) {
      const { next_cursor } = (await page(list, [['limit', '1']])).json
      if (next_cursor) genuine.set(list.id, next_cursor)
    }
  })

  test('most lists have a second page here, and their own cursor opens it', async () => {
    expect([...genuine.keys()]).toEqual(
      expect.arrayContaining([
        'listTokens',
        'listSessions',
        'listMembers',
        'listRepos',
        'listCommits',
        'getTree',
        'listJobs',
      ]),
    )
    for (const list of lists) {
      const cursor = genuine.get(list.id)
      if (cursor)
        expect([
          list.id,
          (
            await page(list, [
              ['limit', '1'],
              ['cursor', cursor],
            ])
          ).status,
        ]).toEqual([list.id, 200])
    }
  })

  test('a cursor that was made up, changed, cut or issued by another list is refused by every list', async () => {
    const taken: string[] = []
    for (const list of lists) {
      const own = genuine.get(list.id) ?? ''
      const changed =
        own === '' ? [] : [own.slice(0, -1), `${own}A`, flipped(own, 0), flipped(own, own.length - 2)]
      const foreign = [...genuine].flatMap(([id, cursor]) => (id === list.id ? [] : [cursor]))
      for (const cursor of ['x', 'e30', '%00', 'A'.repeat(5000), '%F0%9F%A4%97', ...changed, ...foreign]) {
        const { status, json } = await page(list, [
          ['limit', '1'],
          ['cursor', cursor],
        ])
        if (status !== 400 || json.code !== 'invalid-cursor')
          taken.push(`${list.id} ${cursor.slice(0, 40)}: ${status}`)
      }
    }
    expect(taken).toEqual([])
  })

  test('a cursor issued to one caller is refused to another', async () => {
    const list = lists.find(({ id }) => id === 'listRepos')
    if (!list) throw new Error('there is no listRepos')
    const { status } = await page(
      list,
      [
        ['limit', '1'],
        ['cursor', genuine.get('listRepos') ?? ''],
      ],
      'stranger',
    )
    expect(status).toBe(400)
  })
})
