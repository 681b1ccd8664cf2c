import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import type { UserActor } from '../../core/access/index.ts'
import { eachDatabase, givenOrg, givenRepo, givenToken, givenUser, setFacts } from '../../testing.ts'
import { followNamespace } from '../../rooms/namespaces/index.ts'
import { hubOver, type HubClient } from './testing.ts'

type Line = Record<string, unknown>

eachDatabase('rows of the hub surface beside repos', (world) => {
  let ada: UserActor
  let bob: UserActor
  let mine: HubClient
  let visitor: HubClient

  beforeAll(async () => {
    world.deps.config.security.anonymous_read = true
    ada = await givenUser(world, 'ada')
    bob = await givenUser(world, 'bob')
    await givenOrg(world, 'acme', ada, [[bob, 'read']])
    await givenRepo(world, ada, { ns: 'acme', name: 'shared', visibility: 'public', licence: 'mit' })
    await givenRepo(world, ada, { ns: 'acme', name: 'kept' })
    await givenRepo(world, ada, { name: 'own', type: 'dataset' })
    const server = hubOver(world)
    mine = await server.as(ada)
    visitor = server.visitor
  })

  test('the overview of a user counts what the caller may see', async () => {
    const overview = {
      user: 'ada',
      fullname: 'ada',
      avatarUrl: expect.stringMatching(/^http.*\/avatars\/ada\.svg$/),
      type: 'user',
      isPro: false,
      numModels: 0,
      numDatasets: 1,
      numLikes: 0,
      numFollowers: 0,
      orgs: [{ name: 'acme', fullname: 'acme', avatarUrl: expect.any(String) }],
    }
    expect((await mine.get('/api/users/ADA/overview')).body).toMatchObject(overview)
    expect((await visitor.get('/api/users/ada/overview')).body).toMatchObject({ ...overview, numDatasets: 0 })
    for (const path of ['/api/users/acme/overview', '/api/users/none/overview', '/api/users/none/followers'])
      expect((await mine.get(path)).status).toBe(404)
  })

  test('the overview of an organisation, and its members', async () => {
    expect((await mine.get('/api/organizations/acme/overview')).body).toMatchObject({
      name: 'acme',
      isVerified: false,
      numUsers: 2,
      numModels: 2,
    })
    expect((await visitor.get('/api/organizations/acme/overview')).body).toMatchObject({ numModels: 1 })
    const members = (await mine.get<Line[]>('/api/organizations/acme/members')).body
    expect(members).toMatchObject([
      { user: 'ada', type: 'user', isPro: false, role: 'admin' },
      { user: 'bob', role: 'read' },
    ])
    expect((await mine.get('/api/organizations/ada/overview')).status).toBe(404)
  })

  test.each([
    ['with a NUL', 'a\0b', 400],
    ['that is too long', 'x'.repeat(2001), 400],
    ['that is no Unicode', 'a\ud800', 422],
  ])('settings take no description %s', async (_, description, status) => {
    const answer = await mine.send('PUT', '/api/datasets/ada/own/settings', { description })
    expect(answer.status).toBe(status)
  })

  test('who follows whom, users alone', async () => {
    const of = async (path: string) => (await visitor.get<Line[]>(path)).body
    const paths = [
      '/api/users/ada/followers',
      '/api/users/bob/following',
      '/api/organizations/acme/followers',
    ] as const
    for (const path of paths) expect(await of(path)).toEqual([])
    await followNamespace(world.ctx(bob), 'ada', true)
    await followNamespace(world.ctx(bob), 'acme', true)
    const line = (user: string) => ({
      user,
      fullname: user,
      avatarUrl: expect.stringMatching(/^http.*\.svg$/),
      type: 'user',
      isPro: false,
    })
    expect(await Promise.all(paths.map(of))).toEqual([[line('bob')], [line('ada')], [line('bob')]])
    expect(await of('/api/users/ada/overview')).toMatchObject({ numFollowers: 1, numFollowing: 0 })
    expect(await of('/api/users/bob/overview')).toMatchObject({ numFollowers: 0, numFollowing: 1 })
    expect(await of('/api/organizations/acme/overview')).toMatchObject({ numFollowers: 1 })
    expect((await visitor.get('/api/users/acme/followers')).status).toBe(404)
    for (const name of ['ada', 'acme']) await followNamespace(world.ctx(bob), name, false)
  })

  test('what a namespace stores is shown to its members, each what they may see', async () => {
    const { body } = await mine.get<Line[]>('/api/organizations/acme/settings/repositories')
    expect(body).toMatchObject([
      { id: 'acme/kept', type: 'model', visibility: 'private', updatedAt: expect.stringMatching(/Z$/) },
      { id: 'acme/shared', visibility: 'public' },
    ])
    const percents = body.map(({ storagePercent }) => Number(storagePercent))
    expect(Math.round(percents.reduce((a, b) => a + b, 0))).toBe(100)
    expect((await mine.get<Line[]>('/api/settings/repositories')).body).toMatchObject([
      { id: 'ada/own', type: 'dataset', storagePercent: 100 },
    ])
    const stranger = await hubOver(world).as(await givenUser(world, 'eve'))
    expect((await stranger.get('/api/organizations/acme/settings/repositories')).status).toBe(403)
    expect((await visitor.get('/api/settings/repositories')).status).toBe(401)
    const fence = { repos: [{ type: 'model' as const, ns: 'acme', name: 'kept' }] }
    const { secret } = await givenToken(world, ada, { fence })
    const fenced = hubOver(world).clientOf({ Authorization: `Bearer ${secret}` })
    const seen = await fenced.get<Line[]>('/api/organizations/acme/settings/repositories')
    expect(seen.body.map(({ id }) => id)).toEqual(['acme/kept', 'acme/shared'])
  })

  test('tags in use are sorted by what they are', async () => {
    const { q, t } = world.db
    const [shared] = await q.select().from(t.repos).where(eq(t.repos.name_key, 'shared'))
    await setFacts(world.db, shared?.id ?? '', {
      tags: ['peft', 'translation', 'fun', 'license:mit'],
      facets: { library: ['peft'], task: ['translation'] },
    })
    expect((await visitor.get('/api/models-tags-by-type')).body).toMatchObject({
      library: [{ type: 'library', id: 'peft', label: 'peft' }],
      pipeline_tag: [{ type: 'pipeline_tag', id: 'translation', label: 'translation' }],
      license: [{ type: 'license', id: 'license:mit', label: 'mit' }],
      other: [{ type: 'other', id: 'fun', label: 'fun' }],
    })
    const { body } = await mine.get<Record<string, unknown[]>>('/api/datasets-tags-by-type')
    expect(body['size_categories']).toEqual([])
  })

  test('what every client asks for first', async () => {
    expect((await visitor.get('/api/agent-harnesses')).body).toEqual({ standardEnvVars: [], harnesses: {} })
    expect((await visitor.send('HEAD', '/api/telemetry/examples/x')).status).toBe(204)
    expect((await visitor.get('/api/spaces')).body).toEqual([])
  })

  test.each([
    ['GET', '/api/spaces/ada/app', 404, 'RepoNotFound', 'Spaces are not served by this server'],
    ['GET', '/api/spaces/ada/app/revision/main', 404, 'RepoNotFound', 'Spaces are not served by this server'],
    [
      'HEAD',
      '/spaces/ada/app/resolve/main/app.py',
      404,
      'RepoNotFound',
      'Spaces are not served by this server',
    ],
    ['GET', '/api/buckets/ada/b', 404, 'RepoNotFound', 'Buckets are not served by this server'],
    ['GET', '/api/kernels/ada/k', 404, 'RepoNotFound', 'Kernels are not served by this server'],
    ['GET', '/api/jobs/ada', 501, null, 'Jobs are not offered by this server'],
    ['GET', '/api/scheduled-jobs/ada', 501, null, 'not offered by this server'],
    ['POST', '/api/inference/x', 501, null, 'Inference is not offered by this server'],
    ['GET', '/api/papers/search', 501, null, 'Papers are not offered by this server'],
    ['GET', '/api/daily_papers', 501, null, 'Papers are not offered by this server'],
    ['GET', '/api/datasets/ada/own/leaderboard', 501, null, 'Leaderboards are not offered by this server'],
    ['GET', '/api/models/acme/shared/xet-read-token/main', 404, null, ''],
    ['GET', '/api/datasets/ada/own/chunk-read-token/main', 404, null, ''],
    ['GET', '/api/nothing/of/the/kind', 404, null, ''],
  ])('%s %s fails so that clients can say why', async (method, path, status, code, message) => {
    const answer = await mine.send(method, path)
    expect([answer.status, answer.header('x-error-code')]).toEqual([status, code])
    expect(answer.header('x-error-message') ?? '').toContain(message)
    expect(answer.header('content-type')).toContain('application/json')
  })

  describe('under the name of the dataset viewer', () => {
    const asked = async (path: string, client = mine) => {
      const { status, header } = await client.get(path, { Host: 'datasets-server.hub.example:8080' })
      return [status, header('x-error-code')]
    }
    test('nothing is ready yet, and what is hidden is not there', async () => {
      expect(await asked('/info?dataset=ada/own')).toEqual([500, 'ResponseNotReady'])
      expect(await asked('/parquet?dataset=ada%2Fown')).toEqual([500, 'ResponseNotReady'])
      for (const path of ['/info?dataset=ada/own', '/info?dataset=ada/none', '/info?dataset=none'])
        expect(await asked(path, visitor)).toEqual([401, 'ExternalUnauthenticatedError'])
      for (const path of ['/info?dataset=', '/info'])
        expect(await asked(path, visitor)).toEqual([422, 'MissingRequiredParameter'])
      for (const path of ['/', '/api/models', '/login'])
        expect(await asked(path)).toEqual([404, 'ResponseNotFound'])
    })
  })

  describe('the guard of models with pickled weights', () => {
    const asTransformers = { 'User-Agent': 'transformers/5.18.0; python/3.11' }
    test('stops the thread that would send them elsewhere, and no other client', async () => {
      const path = '/api/models/acme/shared/commits/main'
      const { status, header } = await mine.get(path, asTransformers)
      expect([status, header('x-error-message')]).toEqual([
        403,
        'safetensors conversion is disabled on this server',
      ])
      expect((await mine.get(path, { 'User-Agent': 'hf_hub/2.2.0' })).status).toBe(200)
      expect((await mine.get('/api/datasets/ada/own/commits/main', asTransformers)).status).toBe(200)
    })
  })

  test.each(['auth-check', 'auth-check/write'])('%s says whether one may', async (row) => {
    const path = `/api/models/acme/shared/${row}`
    const reads = row === 'auth-check'
    expect((await mine.get(path)).body).toEqual({})
    const bobs = await (await hubOver(world).as(bob)).get(path)
    expect(bobs.status).toBe(reads ? 200 : 403)
    // The client puts the full stop.
    const missing =
      'You may not change the files, branches and tags of this repo: that needs the role write there'
    expect(bobs.header('x-error-message')).toBe(reads ? null : missing)
    expect((await visitor.get(path)).status).toBe(reads ? 200 : 401)
    const hidden = await (await hubOver(world).as(bob)).get(`/api/datasets/ada/own/${row}`)
    expect([hidden.status, hidden.header('x-error-code')]).toEqual([404, 'RepoNotFound'])
  })
})
