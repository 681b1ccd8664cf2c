import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import type { UserActor } from '../../core/access/index.ts'
import { sessionCookieName } from '../../rooms/auth/index.ts'
import { updateRepo, type Repo } from '../../rooms/repos/index.ts'
import { keepAnswer } from '../../rooms/datasets/viewer/answers.ts'
import { givenExport, parquetOf } from '../../rooms/datasets/viewer/testing.ts'
import { buildApp } from '../../app/app.ts'
import { eachDatabase, givenRepo, givenToken, givenUser } from '../../testing.ts'

eachDatabase('the API of the viewer', (world) => {
  let ada: UserActor & { secret: string }
  let bob: UserActor
  let repo: Repo
  let bearer: Record<string, string>
  let bobs: Record<string, string>
  const name = () => `${repo.ns}/${repo.name}`

  beforeAll(async () => {
    ada = await givenUser(world, 'ada')
    bob = await givenUser(world, 'bob')
    const files = [await parquetOf(`SELECT range AS id, 'x' AS text, [1.5::DOUBLE] AS list FROM range(3000)`)]
    repo = await givenExport(
      world,
      ada,
      [
        { config: 'big', split: 'train', files },
        { config: 'big', split: 'test', files: [files[0] ?? Buffer.alloc(0)] },
        { config: 'rough', split: 'train', files, isExact: false, isPartial: true },
      ],
      { name: 'rows' },
    )
    bearer = { Authorization: `Bearer ${(await givenToken(world, ada)).secret}` }
    bobs = { Authorization: `Bearer ${(await givenToken(world, bob)).secret}` }
  })

  const over = (viewer = {}, security = {}) => {
    const { config } = world.deps
    const changed = {
      ...config,
      viewer: { ...config.viewer, ...viewer },
      security: { ...config.security, ...security },
    }
    return buildApp({ ...world.deps, config: changed }, { state: 'ready', check: async () => undefined })
  }
  const ask = async (path: string, headers: Record<string, string> = bearer, app = over()) => {
    const answer = await app.request(path, { headers })
    const text = await answer.text()
    return {
      status: answer.status,
      code: answer.headers.get('x-error-code'),
      header: (key: string) => answer.headers.get(key),
      body: JSON.parse(text === '' ? 'null' : text) as Record<string, unknown>,
    }
  }
  const endpoints = 'is-valid splits first-rows rows search filter parquet size info statistics'.split(' ')
  const at = (endpoint: string, of = name()) =>
    `/viewer-api/${endpoint}?dataset=${of}&config=big&split=train&query=x&where=${encodeURIComponent('id=1')}`

  test('hides what is hidden, gated, moved or of another kind as what is not there', async () => {
    const gated = await givenRepo(world, ada, { type: 'dataset', visibility: 'public', name: 'gated' })
    await updateRepo(world.ctx(ada), gated, { gated: 'manual' })
    await givenRepo(world, bob, { type: 'model', visibility: 'public', name: 'model' })
    for (const endpoint of endpoints) {
      const codes = async (of: string, headers: Record<string, string>) => {
        const { status, code, body } = await ask(at(endpoint, of), headers)
        return [endpoint, status, code, body]
      }
      const absent = await codes('ada/none', bobs)
      expect(absent).toMatchObject([endpoint, 404, 'ExternalAuthenticatedError', {}])
      for (const of of [name(), 'ada/gated', 'bob/model', 'x', 'a/b/c', '%00/x'])
        expect(await codes(of, bobs)).toEqual(absent)
      const unknown = await codes('ada/none', {})
      expect(unknown).toMatchObject([endpoint, 401, 'ExternalUnauthenticatedError', {}])
      expect(await codes(name(), {})).toEqual(unknown)
    }
  })

  test('takes tokens and sessions, and refuses a wrong token', async () => {
    expect((await ask(at('rows'), { Cookie: `${sessionCookieName}=${ada.secret}` })).status).toBe(200)
    expect(await ask(at('rows'), { Authorization: 'Bearer hf_wrong' })).toMatchObject({
      status: 401,
      code: 'ExternalUnauthenticatedError',
    })
  })

  test('lists splits, validity, files and sizes', async () => {
    const { body, header } = await ask(`/viewer-api/splits?dataset=${name()}`)
    expect(body).toEqual({
      splits: [
        { dataset: name(), config: 'big', split: 'train' },
        { dataset: name(), config: 'big', split: 'test' },
        { dataset: name(), config: 'rough', split: 'train' },
      ],
      pending: [],
      failed: [],
    })
    expect(header('cache-control')).toBe('private, no-store')
    expect((await ask(`/viewer-api/splits?dataset=${name()}&config=rough`)).body).toEqual({
      splits: [{ dataset: name(), config: 'rough', split: 'train' }],
    })
    expect((await ask(`/viewer-api/is-valid?dataset=${name()}`)).body).toEqual({
      preview: true,
      viewer: true,
      search: true,
      filter: true,
      statistics: true,
    })
    const parquet = (await ask(`/viewer-api/parquet?dataset=${name()}`)).body
    expect(parquet).toMatchObject({ pending: [], failed: [], partial: true })
    expect((parquet['parquet_files'] as unknown[])[0]).toEqual({
      dataset: name(),
      config: 'big',
      split: 'train',
      url: `http://localhost:8080/datasets/${name()}/resolve/refs%2Fconvert%2Fparquet/big/train/0000.parquet`,
      filename: '0000.parquet',
      size: expect.any(Number) as unknown,
    })
    const size = (await ask(`/viewer-api/size?dataset=${name()}&config=big`)).body
    expect(size).toMatchObject({
      size: {
        config: { num_rows: 6000, num_columns: 3, num_bytes_original_files: 500, estimated_num_rows: null },
        splits: [
          { split: 'train', num_rows: 3000 },
          { split: 'test', num_rows: 3000 },
        ],
      },
      partial: false,
    })
    expect((await ask(`/viewer-api/size?dataset=${name()}`)).body).toMatchObject({
      size: { dataset: { num_rows: 9000, estimated_num_rows: 12_000 } },
      partial: true,
    })
  })

  test('says in /info only what the library may believe', async () => {
    const { body, header } = await ask(`/viewer-api/info?dataset=${name()}`)
    expect(body).toMatchObject({
      pending: [{ kind: 'config-info', dataset: name(), config: 'rough', split: null }],
      failed: [],
      partial: false,
    })
    expect(header('x-revision')).toMatch(/^[0-9a-f]{40}$/)
    expect(Object.keys(body['dataset_info'] as object)).toEqual(['big'])
    expect((body['dataset_info'] as Record<string, unknown>)['big']).toMatchObject({
      features: {
        id: { dtype: 'int64', _type: 'Value' },
        list: [{ dtype: 'float64', _type: 'Value' }],
      },
      builder_name: 'csv',
      dataset_name: 'rows',
      config_name: 'big',
      version: { version_str: '0.0.0', major: 0, minor: 0, patch: 0 },
      splits: {
        train: { name: 'train', num_examples: 3000, dataset_name: 'rows' },
        test: { num_examples: 3000 },
      },
    })
    expect(await ask(`/viewer-api/info?dataset=${name()}&config=rough`)).toMatchObject({
      status: 500,
      code: 'ResponseNotReady',
    })
  })

  test('answers on the host that clients make of ours, and nothing else does there', async () => {
    const Host = 'datasets-server.hub.test:8080'
    expect((await ask(`/info?dataset=${name()}`, { ...bearer, Host })).body).toMatchObject({ partial: false })
    expect(
      (await ask(`/rows?dataset=${name()}&config=big&split=train&length=1`, { ...bearer, Host })).status,
    ).toBe(200)
    expect(await ask('/api/models', { ...bearer, Host })).toMatchObject({
      status: 404,
      code: 'ResponseNotFound',
    })
    const wide = await ask(`/info?dataset=${name()}`, {
      ...bearer,
      Host,
      Origin: 'https://elsewhere.example',
    })
    expect(wide.header('access-control-allow-origin')).toBe('*')
  })

  test('is open to pages of other origins, also where it refuses', async () => {
    const Origin = 'https://elsewhere.example'
    const found = await ask(at('rows'), { ...bearer, Origin })
    expect(found.header('access-control-allow-origin')).toBe('*')
    expect(found.header('access-control-expose-headers')).toMatch(/X-Error-Code.*X-Revision/)
    expect((await ask(at('rows', 'no/ne'), { Origin })).header('access-control-allow-origin')).toBe('*')
    const preflight = await over().request(at('rows'), { method: 'OPTIONS', headers: { Origin } })
    expect([preflight.status, preflight.headers.get('access-control-allow-headers')]).toEqual([
      204,
      expect.stringContaining('Authorization'),
    ])
  })

  test('lets caches keep what everybody may see, and refusals for a shorter time', async () => {
    await updateRepo(world.ctx(ada), repo, { visibility: 'public' })
    try {
      const { status, header } = await ask(at('rows'), {}, over({}, { anonymous_read: true }))
      expect([status, header('cache-control')]).toEqual([200, 'max-age=120'])
      expect((await ask(at('rows'), bearer)).header('cache-control')).toBe('private, no-store')
      const refused = async (headers: Record<string, string>) => {
        const answer = await ask(`${at('rows')}&offset=-1`, headers, over({}, { anonymous_read: true }))
        return [answer.status, answer.code, answer.header('cache-control')]
      }
      expect(await refused({})).toEqual([422, 'InvalidParameter', 'max-age=10'])
      expect(await refused(bearer)).toEqual([422, 'InvalidParameter', 'private, no-store'])
    } finally {
      await updateRepo(world.ctx(ada), repo, { visibility: 'private' })
    }
  })

  test('can be turned off', async () => {
    expect(await ask(at('rows'), bearer, over({ enabled: false }))).toMatchObject({
      status: 501,
      code: 'NotSupportedDisabledViewerError',
    })
    expect((await ask(at('rows'), bobs, over({ enabled: false }))).code).toBe('ExternalAuthenticatedError')
  })

  test('says how far a dataset is', async () => {
    const { datasets: d, dataset_configs: c, dataset_splits: s } = world.db.t
    const other = await givenRepo(world, ada, { type: 'dataset' })
    const path = (endpoint: string) =>
      `/viewer-api/${endpoint}?dataset=${other.ns}/${other.name}&config=a&split=train`
    expect((await ask(path('rows'))).code).toBe('ResponseNotReady')
    const commit = '1'.repeat(40)
    await world.db.write(async ({ q }) => {
      const known = {
        repo_id: other.id,
        commit,
        version: 1,
        inputs: 'x',
        original_bytes: 1,
        updated_at: world.clock.now,
      }
      await q.insert(d).values({ ...known, status: 'converting' })
    })
    expect(await ask(path('splits'))).toMatchObject({ code: 'ResponseNotReady', status: 500 })
    const set = (values: Partial<typeof d.$inferInsert>) =>
      world.db.write(({ q }) => q.update(d).set(values).where(eq(d.repo_id, other.id)))
    await set({ status: 'failed', problem: { code: 'DataFilesNotFoundError', message: 'No data files.' } })
    const failed = await ask(path('rows'))
    expect([failed.status, failed.code, failed.header('x-revision')]).toEqual([
      500,
      'DataFilesNotFoundError',
      commit,
    ])
    await set({ status: 'disabled', problem: null })
    expect((await ask(path('rows'))).code).toBe('NotSupportedDisabledViewerError')
    await set({ status: 'converting' })
    const config = {
      repo_id: other.id,
      position: 0,
      is_default: true,
      is_exact: true,
      features: [],
      warnings: [],
      original_bytes: 1,
    }
    await world.db.write(async ({ q }) => {
      await q.insert(c).values({ ...config, name: 'a', status: 'converting' })
      await q.insert(s).values({
        repo_id: other.id,
        config: 'a',
        name: 'train',
        position: 0,
        status: 'pending',
        is_partial: false,
      })
    })
    expect((await ask(path('rows'))).code).toBe('ResponseNotReady')
    expect((await ask(path('splits'))).status).toBe(200)
    const place = { repo_id: other.id, config: 'a', split: 'train', kind: 'first_rows' } as const
    const rows = '{"features":[],"rows":[{"row_idx":0,"row":{"a":1},"truncated_cells":[]}],"truncated":false}'
    await keepAnswer(world.db, place, { commit, json: rows })
    expect((await ask(path('first-rows'))).body).toEqual({
      dataset: `${other.ns}/${other.name}`,
      config: 'a',
      split: 'train',
      ...(JSON.parse(rows) as object),
    })
    expect((await ask(path('is-valid'))).body).toMatchObject({ preview: true, viewer: false, filter: false })
    const info = await ask(`/viewer-api/info?dataset=${other.ns}/${other.name}`)
    expect(info.body).toEqual({
      dataset_info: {},
      pending: [{ kind: 'config-info', dataset: `${other.ns}/${other.name}`, config: 'a', split: null }],
      failed: [],
      partial: false,
    })
  })
})
