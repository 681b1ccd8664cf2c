import { beforeAll, expect, test } from 'vitest'
import type { UserActor } from '../../../core/access/index.ts'
import { buildApp } from '../../../app/app.ts'
import type { Config } from '../../../platform/config/index.ts'
import { openWriteToken } from '../../chunk/write-token.ts'
import { asked, givenContent } from '../../../core/lfs/testing.ts'
import type { Repo } from '../../repos/index.ts'
import { eachDatabase, givenUser } from '../../../testing.ts'
import type { BatchResponse } from './batch.ts'
import { bearerOf, givenObject, givenRepo } from '../testing.ts'

const GiB = 1024 ** 3

eachDatabase('chunks in LFS batches', (world) => {
  let owner: UserActor
  let repo: Repo
  let mine: Record<string, string>
  let theirs: Record<string, string>
  let eve: UserActor
  beforeAll(async () => {
    owner = await givenUser(world, 'owner')
    eve = await givenUser(world, 'eve')
    repo = await givenRepo(world, owner, 'tiny', { visibility: 'public' })
    await givenRepo(world, owner, 'rows', { type: 'dataset' })
    mine = await bearerOf(world, owner)
    theirs = await bearerOf(world, eve)
  })
  const ask = async (
    objects: object[],
    { at = 'owner/tiny', headers = mine, config = {}, ...more }: AskOptions = {},
  ): Promise<BatchResponse> => {
    const deps = { ...world.deps, config: { ...world.deps.config, ...config } }
    const app = buildApp(deps, { state: 'ready', check: async () => undefined })
    const body = {
      operation: 'upload',
      transfers: ['basic', 'multipart', 'xet'],
      ref: { name: 'main' },
      objects,
    }
    const answer = await app.request(`/${at}.git/info/lfs/objects/batch`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ ...body, ...more }),
    })
    expect(answer.status).toBe(200)
    return (await answer.json()) as BatchResponse
  }
  const uploadOf = ({ objects: [object] }: BatchResponse) =>
    object?.actions?.['upload'] ?? expect.fail('nothing to upload')

  test('are offered to who takes them, with the same token on every object', async () => {
    const answer = await ask([asked(givenContent()), asked(givenContent(0))])
    expect(answer.transfer).toBe('xet')
    const [first, second] = answer.objects.map((object) => object.actions)
    expect(Object.keys(first ?? {})).toEqual(['upload'])
    expect(second).toEqual(first)
    const { href, header } = uploadOf(answer)
    expect(href).toBe('http://localhost:8080/api/models/owner/tiny/xet-write-token/main')
    expect(Object.keys(header)).toEqual([
      'X-Xet-Cas-Url',
      'X-Xet-Access-Token',
      'X-Xet-Token-Expiration',
      'X-Xet-Session-Id',
    ])
    expect(Object.values(header).every((value) => typeof value === 'string' && value !== '')).toBe(true)
    expect(openWriteToken(world.ctx(), header['X-Xet-Access-Token'] ?? '')).toMatchObject({
      userId: owner.id,
      repoId: repo.id,
      isPull: false,
    })
  })

  test('every batch has a session of its own', async () => {
    const session = async () => uploadOf(await ask([asked(givenContent())])).header['X-Xet-Session-Id']
    expect(await session()).not.toBe(await session())
  })

  test('objects the caller may use need no sending; when all are there, nothing is chosen', async () => {
    const here = await givenObject(world, owner, repo)
    const mixed = await ask([asked(here), asked(givenContent())])
    expect(mixed.transfer).toBe('xet')
    expect(mixed.objects[0]).toEqual(asked(here))
    expect(await ask([asked(here)])).toMatchObject({ transfer: 'basic', objects: [asked(here)] })
  })

  test.each([
    ['main', 'xet-write-token/main', false],
    ['refs/heads/feat/x', 'xet-write-token/feat%2Fx', false],
    ['refs/pr/3', 'xet-write-token/refs%2Fpr%2F3', true],
    [undefined, 'xet-write-token/main?create_pr=1', true],
  ])('the next token for ref %s is asked for in its name', async (name, end, isPull) => {
    const answer = await ask([asked(givenContent())], { ref: name === undefined ? undefined : { name } })
    const { href, header } = uploadOf(answer)
    expect(href).toBe(`http://localhost:8080/api/models/owner/tiny/${end}`)
    expect(openWriteToken(world.ctx(), header['X-Xet-Access-Token'] ?? '').isPull).toBe(isPull)
  })

  test('a reader may send them for a pull request', async () => {
    const answer = await ask([asked(givenContent())], { headers: theirs, ref: undefined })
    const token = openWriteToken(world.ctx(), uploadOf(answer).header['X-Xet-Access-Token'] ?? '')
    expect(token).toMatchObject({ userId: eve.id, isPull: true })
  })

  test('datasets have their own address', async () => {
    const answer = await ask([asked(givenContent())], { at: 'datasets/owner/rows' })
    expect(uploadOf(answer).href).toContain('/api/datasets/owner/rows/xet-write-token/main')
  })

  test('one object that is too large to be rebuilt sends the whole batch in parts', async () => {
    const large = { ...givenContent(10), sizeBytes: 50 * GiB + 1 }
    const answer = await ask([asked(large), asked(givenContent())])
    expect(answer.transfer).toBe('multipart')
    const fits = { ...givenContent(10), sizeBytes: 50 * GiB }
    expect((await ask([asked(fits)])).transfer).toBe('xet')
  })

  test('who does not take them, or asks to download, is not offered any', async () => {
    const large = { ...givenContent(10), sizeBytes: GiB }
    for (const transfers of [undefined, ['basic']])
      expect((await ask([asked(large)], { transfers })).transfer).toBe('basic')
    expect((await ask([asked(large)], { transfers: ['basic', 'multipart'] })).transfer).toBe('multipart')
    const here = await givenObject(world, owner, repo)
    expect((await ask([asked(here)], { operation: 'download' })).transfer).toBe('basic')
  })

  test('a server that refuses chunks never offers them', async () => {
    const { hubapi } = world.deps.config
    const config = { hubapi: { ...hubapi, chunk: 'reject' as const } }
    expect((await ask([asked(givenContent())], { config })).transfer).toBe('basic')
    const large = { ...givenContent(10), sizeBytes: GiB }
    expect((await ask([asked(large)], { config })).transfer).toBe('multipart')
  })

  test('a ref of endless length is refused', async () => {
    const app = buildApp(world.deps, { state: 'ready', check: async () => undefined })
    const body = { operation: 'upload', objects: [], ref: { name: 'x'.repeat(2000) } }
    const answer = await app.request('/owner/tiny.git/info/lfs/objects/batch', {
      method: 'POST',
      headers: mine,
      body: JSON.stringify(body),
    })
    expect(answer.status).toBe(422)
  })
})

interface AskOptions {
  at?: string
  headers?: Record<string, string>
  config?: Partial<Config>
  ref?: { name: string } | undefined
  transfers?: string[] | undefined
  operation?: string
}
