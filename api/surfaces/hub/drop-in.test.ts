import { beforeAll, expect, test } from 'vitest'
import type { UserActor } from '../../core/access/index.ts'
import { createAccessRequest } from '../../rooms/repos/people/access-requests.ts'
import { eachDatabase, givenRepo, givenUser } from '../../testing.ts'
import { hubOver, type HubClient } from './testing.ts'

type Line = Record<string, unknown>

eachDatabase('what clients of the public hub expect', (world) => {
  let ada: UserActor
  let bob: UserActor
  let mine: HubClient
  let theirs: HubClient

  beforeAll(async () => {
    ada = await givenUser(world, 'ada')
    bob = await givenUser(world, 'bob')
    const server = hubOver(world)
    mine = await server.as(ada)
    theirs = await server.as(bob)
  })

  test('a repo that is created without a visibility is public', async () => {
    await mine.send('POST', '/api/repos/create', { name: 'open' })
    expect((await theirs.get('/api/models/ada/open')).body).toMatchObject({ private: false, author: 'ada' })
    await mine.send('POST', '/api/repos/create', { name: 'kept', private: true })
    expect((await theirs.get('/api/models/ada/kept')).status).toBe(404)
  })

  test('the first commit names its creator, and lists are formatted when asked', async () => {
    await givenRepo(world, ada, { name: 'told' })
    const lines = [
      { key: 'header', value: { summary: 'Use `a < b` & <script>', description: 'One.\nTwo.' } },
      { key: 'file', value: { path: 'a.txt', content: 'x' } },
    ]
    expect((await mine.sendLines('/api/models/ada/told/commit/main', lines)).status).toBe(200)
    const { body } = await mine.get<Line[]>('/api/models/ada/told/commits/main?expand[]=formatted')
    expect(body).toMatchObject([
      {
        title: 'Use `a < b` & <script>',
        formatted: { title: 'Use <code>a &lt; b</code> &amp; &lt;script&gt;', message: 'One.<br>Two.' },
      },
      { title: 'initial commit', authors: [{ user: 'ada' }] },
    ])
    const [plain] = (await mine.get<Line[]>('/api/models/ada/told/commits/main')).body
    expect(plain).not.toHaveProperty('formatted')
  })

  test('a delete of a folder by the key of files deletes the folder; one of nothing says so once', async () => {
    await givenRepo(world, ada, { name: 'folders' })
    const commit = (...rest: Line[]) =>
      mine.sendLines('/api/models/ada/folders/commit/main', [
        { key: 'header', value: { summary: 'change' } },
        ...rest,
      ])
    const file = (path: string) => ({ key: 'file', value: { path, content: 'x' } })
    await commit(file('dir/a.txt'), file('dir/sub/b.txt'), file('other.txt'))
    expect((await commit({ key: 'deletedFile', value: { path: 'dir' } })).status).toBe(200)
    const { body } = await mine.get<Line[]>('/api/models/ada/folders/tree/main')
    expect(body.map(({ path }) => path)).toEqual(['.gitattributes', 'other.txt'])
    const refused = await commit({ key: 'deletedFile', value: { path: 'dir' } })
    expect([refused.status, refused.body['error']]).toEqual([404, "A file with this name doesn't exist: dir"])
  })

  test('access requests have an id, by which they are decided', async () => {
    const repo = await givenRepo(world, ada, { name: 'gated', visibility: 'public', gated: 'manual' })
    await createAccessRequest(world.ctx(bob), repo, {})
    const base = '/api/models/ada/gated/user-access-request'
    const [asked] = (await mine.get<Line[]>(`${base}/pending`)).body
    const requestId = asked?.['requestId']
    expect(requestId).toEqual(expect.any(String))
    const decide = (body: Line) => mine.send('POST', `${base}/handle`, body)
    expect((await decide({ requestId, status: 'accepted' })).status).toBe(200)
    expect((await decide({ request_id: requestId, status: 'rejected' })).status).toBe(200)
    expect((await mine.get<Line[]>(`${base}/rejected`)).body).toMatchObject([{ requestId }])
    expect((await decide({ status: 'accepted' })).status).toBe(400)
    expect((await decide({ requestId: 'none', status: 'accepted' })).status).toBe(404)
  })

  test.each([
    ['models', 'ada/closed', 'model ada/closed', '/ada/closed'],
    ['datasets', 'ada/closed', 'dataset ada/closed', '/datasets/ada/closed'],
  ] as const)('files of gated %s name the repo and its page', async (types, id, named, page) => {
    const type = types === 'models' ? ('model' as const) : ('dataset' as const)
    await givenRepo(world, ada, { type, name: 'closed', visibility: 'public', gated: 'manual' })
    const files = types === 'models' ? '' : '/datasets'
    const answer = await theirs.get(`${files}/${id}/resolve/main/.gitattributes`)
    const { public_url } = world.deps.config.server
    expect([answer.status, answer.header('X-Error-Code')]).toEqual([403, 'GatedRepo'])
    expect(answer.header('X-Error-Message')).toBe(
      `Access to ${named} is restricted and you are not in the authorized list. ` +
        `Visit ${public_url}${page} to ask for access.`,
    )
  })

  test('a new repo keeps parts of split archives as large files', async () => {
    await givenRepo(world, ada, { name: 'split' })
    const { body } = await mine.send('POST', '/api/models/ada/split/preupload/main', {
      files: [{ path: 'weights.lfs.part1', sample: 'eA==', size: 1 }],
    })
    expect(body).toMatchObject({ files: [{ path: 'weights.lfs.part1', uploadMode: 'lfs' }] })
  })
})
