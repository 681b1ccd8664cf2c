import { beforeAll, describe, expect, test } from 'vitest'
import type { UserActor } from '../../../core/access/index.ts'
import { buildApp } from '../../../app/app.ts'
import type { Deps } from '../../../core/ctx.ts'
import type { App } from '../../../core/http/env.ts'
import { createRepo, renameRepo, type Repo } from '../../../rooms/repos/index.ts'
import { eachDatabase, givenRepo, givenToken, givenUser } from '../../../testing.ts'

const ready = { state: 'ready' as const, check: async () => undefined }
const changed = (deps: Deps, section: 'hubapi' | 'security' | 'chunk', values: object): Deps => ({
  ...deps,
  config: { ...deps.config, [section]: { ...deps.config[section], ...values } },
})

eachDatabase('the address of write tokens', (world) => {
  let app: App
  let owner: UserActor
  let repo: Repo
  let base: string
  let mine: Record<string, string>
  let theirs: Record<string, string>
  const bearer = async (user: UserActor, more = {}) => ({
    Authorization: `Bearer ${(await givenToken(world, user, more)).secret}`,
  })
  beforeAll(async () => {
    app = buildApp(world.deps, ready)
    owner = await givenUser(world, 'ada')
    repo = await givenRepo(world, owner, { name: 'tiny', visibility: 'public' })
    base = `/api/models/ada/${repo.name}`
    mine = await bearer(owner)
    theirs = await bearer(await givenUser(world, 'eve'))
  })
  const get = (path: string, headers = mine, on = app) => on.request(path, { headers })
  const refusal = async (answer: Response) => [
    answer.status,
    answer.headers.get('x-error-code'),
    ((await answer.json()) as { error: string }).error,
  ]

  test.each(['xet-write-token', 'chunk-write-token'])('%s answers in JSON and in headers', async (name) => {
    const answer = await get(`${base}/${name}/main`)
    const body = (await answer.json()) as { accessToken: string; exp: number; casUrl: string }
    expect(Object.keys(body)).toEqual(['accessToken', 'exp', 'casUrl'])
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-xet-cas-url': body.casUrl,
      'x-xet-access-token': body.accessToken,
      'x-xet-token-expiration': String(body.exp),
    })
    expect(body.exp).toBe(Math.floor(world.clock.now.getTime() / 1000) + 3600)
    expect(body.casUrl).toMatch(/^http:\/\/localhost:8080\/chunk-cas\/[0-9a-f]{16}$/)
  })

  test.each([
    '',
    '/main',
    '/HEAD',
    '/refs%2Fheads%2Fmain',
    '/refs/heads/main',
    '/None',
    '/None?create_pr=1',
    '/main?create_pr=true',
    '/refs%2Fpr%2F1',
  ])('takes "%s" for a revision', async (end) => {
    expect((await get(`${base}/xet-write-token${end}`)).status).toBe(200)
  })

  test('does so for datasets, by a session as well', async () => {
    const user = await givenUser(world, 'seb')
    await createRepo(world.ctx(user), { type: 'dataset', ns: 'seb', name: 'rows' })
    const headers = { Cookie: `service_session=${user.secret}` }
    expect((await get('/api/datasets/seb/rows/xet-write-token/main', headers)).status).toBe(200)
    expect((await get('/api/models/seb/rows/xet-write-token/main', headers)).status).toBe(404)
  })

  test('a missing revision is an error', async () => {
    expect((await refusal(await get(`${base}/xet-write-token/nowhere`))).slice(0, 2)).toEqual([
      404,
      'RevisionNotFound',
    ])
  })

  describe('who may not write', () => {
    test('is refused, but may for a pull request', async () => {
      const [status, code] = await refusal(await get(`${base}/xet-write-token/main`, theirs))
      expect([status, code]).toEqual([403, null])
      for (const end of ['/None?create_pr=1', '/refs%2Fpr%2F7'])
        expect((await get(`${base}/xet-write-token${end}`, theirs)).status).toBe(200)
    })

    test('because their token only reads, may not for a pull request either', async () => {
      const reading = await bearer(owner, { scopes: ['read'] })
      for (const end of ['/main', '/None?create_pr=1'])
        expect((await get(`${base}/xet-write-token${end}`, reading)).status).toBe(403)
    })

    test('does not learn of a hidden repo', async () => {
      await givenRepo(world, owner, { name: 'secret' })
      const ask = async (name: string, headers: Record<string, string>) =>
        refusal(await get(`/api/models/ada/${name}/xet-write-token/nowhere?create_pr=1`, headers))
      expect(await ask('secret', theirs)).toEqual(await ask('absent', theirs))
      expect(await ask('secret', {})).toEqual(await ask('absent', {}))
      expect((await ask('secret', theirs)).slice(0, 2)).toEqual([404, 'RepoNotFound'])
      expect((await ask('secret', {})).slice(0, 2)).toEqual([401, 'RepoNotFound'])
    })

    test('is 401 with a bad token', async () => {
      const answer = await get(`${base}/xet-write-token/main`, { Authorization: 'Bearer hf_wrong' })
      expect(await refusal(answer)).toEqual([401, null, 'Invalid credentials in Authorization header'])
    })
  })

  test('a moved repo leads on, on the host that was asked', async () => {
    const old = await givenRepo(world, owner, { name: 'old' })
    await renameRepo(world.ctx(owner), old, 'new')
    const answer = await get('/api/models/ada/old/xet-write-token/refs%2Fpr%2F1?create_pr=1')
    expect([answer.status, answer.headers.get('location')]).toEqual([
      307,
      '/api/models/ada/new/xet-write-token/refs%2Fpr%2F1?create_pr=1',
    ])
  })

  test('a single name leads to the default namespace', async () => {
    const on = buildApp(changed(world.deps, 'hubapi', { default_namespace: 'ada' }), ready)
    const answer = await get('/api/models/tiny/xet-write-token/main', mine, on)
    expect([answer.status, answer.headers.get('location')]).toEqual([
      307,
      '/api/models/ada/tiny/xet-write-token/main',
    ])
  })

  test('read tokens are never given', async () => {
    for (const name of ['xet-read-token', 'chunk-read-token']) {
      const answer = await get(`${base}/${name}/main`)
      expect((await refusal(answer)).slice(0, 2)).toEqual([404, null])
    }
  })

  describe('on a server that refuses chunks', () => {
    const remedy = '/chunked-uploads-are-disabled/set-HF_HUB_DISABLE_XET=1-and-retry'
    const refusing = () => buildApp(changed(world.deps, 'hubapi', { chunk: 'reject' }), ready)

    test('tokens lead to a refusal whose address says what to do, whatever is asked for', async () => {
      for (const path of [
        `${base}/xet-write-token/main`,
        '/api/models/ada/absent/chunk-write-token/None?create_pr=1',
      ]) {
        const answer = await get(path, mine, refusing())
        expect([answer.status, answer.headers.get('location')]).toEqual([307, remedy])
      }
      const last = await get(remedy, mine, refusing())
      expect(await refusal(last)).toEqual([403, null, expect.stringContaining('HF_HUB_DISABLE_XET=1')])
    })

    test('that address is nothing elsewhere', async () => {
      expect((await get(remedy)).status).toBe(404)
    })

    const preupload = async (userAgent: string, size: number, on: App) => {
      const answer = await on.request(`${base}/preupload/main`, {
        method: 'POST',
        headers: { ...mine, 'User-Agent': userAgent },
        body: JSON.stringify({ files: [{ path: 'notes.txt', size }] }),
      })
      expect(answer.status).toBe(200)
      return answer.headers.get('x-hf-warning')
    }
    test.each([
      ['hf_hub/1.20.0; python/3.11', true],
      ['unknown/None; hf_hub/2.2.0; python/3.12.1; torch/2.0', true],
      ['hf_hub/1.19.9; python/3.11', false],
      ['hf_hub/0.36.2; python/3.11', false],
      ['curl/8', false],
    ])('clients that do not ask first are warned before a large upload: %s', async (userAgent, isWarned) => {
      const warning = 'xet; This server refuses chunked uploads. Set HF_HUB_DISABLE_XET=1.'
      expect(await preupload(userAgent, 20_000_000, refusing())).toBe(isWarned ? warning : null)
    })

    test('no client is warned of small files, or where chunks are taken', async () => {
      const large = 20_000_000
      expect(await preupload('hf_hub/2.2.0', 10, refusing())).toBeNull()
      expect(await preupload('hf_hub/2.2.0', large, app)).toBeNull()
    })

    test('who sends chunks without asking is warned of a file above the limit', async () => {
      const small = buildApp(changed(world.deps, 'chunk', { max_file_size: 15_000_000 }), ready)
      expect(await preupload('hf_hub/2.2.0', 15_000_001, small)).toBe(
        'xet; This server takes files of at most 15000000 bytes in chunks. Set HF_HUB_DISABLE_XET=1 to send larger ones.',
      )
      expect(await preupload('hf_hub/2.2.0', 15_000_000, small)).toBeNull()
      expect(await preupload('hf_hub/0.36.2', 15_000_001, small)).toBeNull()
    })
  })
})
