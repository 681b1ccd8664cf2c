import { eq } from 'drizzle-orm'
import { randomBytes } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import type { UserActor } from '../../core/access/index.ts'
import { actorOfSession } from '../auth/index.ts'
import { logout } from '../auth/logout.ts'
import { beginSession } from '../auth/session.ts'
import { revokeToken } from '../auth/tokens.ts'
import type { Ctx } from '../../core/ctx.ts'
import { Problem } from '../../platform/problems/index.ts'
import { deleteRepo, renameRepo, updateRepo, type Repo } from '../repos/index.ts'
import { secretsFrom } from '../../platform/secrets/index.ts'
import { dbWith, eachDatabase, givenRepo, givenToken, givenUser } from '../../testing.ts'
import { mintWriteToken, openWriteToken, tokenHeaders } from './write-token.ts'
import { requireWriter } from './writer.ts'

const minute = 60_000

eachDatabase('write tokens', (world) => {
  let ada: UserActor
  let eve: UserActor
  let repo: Repo
  beforeAll(async () => {
    ada = await givenUser(world, 'ada')
    eve = await givenUser(world, 'eve')
  })
  const givenTiny = async () => (repo = await givenRepo(world, ada, { visibility: 'public' }))
  const minted = (actor: UserActor, { isPull = false, repoId = repo.id } = {}) =>
    mintWriteToken(world.ctx(actor), { repoId, revision: 'main', isPull })
  /** As a call of the endpoints goes. */
  const use = async (token: string, ctx: Ctx = world.ctx()) =>
    (await requireWriter(ctx, openWriteToken(ctx, token))).writer
  const codeOf = async (token: string, ctx?: Ctx) => {
    try {
      return await use(token, ctx)
    } catch (error) {
      if (error instanceof Problem) return error.code
      throw error
    }
  }
  const pass = (ms: number) => {
    world.clock.now = new Date(world.clock.now.getTime() + ms)
  }

  test('say who sends chunks, and for which repo', async () => {
    await givenTiny()
    const { accessToken, exp, casUrl } = minted(ada)
    expect(await use(accessToken)).toEqual({ userId: ada.id, repoId: repo.id })
    expect(exp).toBe(world.clock.now.getTime() / 1000 + 3600)
    expect(accessToken).toMatch(/^xw1\.[\w.-]+$/)
    expect(casUrl).toMatch(/^http:\/\/localhost:8080\/chunk-cas\/[0-9a-f]{16}$/)
    expect(minted(ada).accessToken).not.toBe(accessToken)
    expect(minted(ada).casUrl).toBe(casUrl)
  })

  test('come as headers, too, the time in whole seconds', async () => {
    await givenTiny()
    const token = minted(ada)
    expect(tokenHeaders(token)).toEqual({
      'X-Xet-Cas-Url': token.casUrl,
      'X-Xet-Access-Token': token.accessToken,
      'X-Xet-Token-Expiration': String(token.exp),
    })
  })

  test('end', async () => {
    await givenTiny()
    const { accessToken } = minted(ada)
    pass(60 * minute - 1000)
    expect(await codeOf(accessToken)).toMatchObject({ userId: ada.id })
    pass(1000)
    expect(await codeOf(accessToken)).toBe('token-expired')
  })

  test('that are forged, cut, of another server or for something else are none', async () => {
    await givenTiny()
    const { accessToken } = minted(ada)
    const [, payload = '', mac = ''] = accessToken.split('.')
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object
    const forged = Buffer.from(JSON.stringify({ ...claims, u: eve.id })).toString('base64url')
    const foreign = { ...world.ctx(ada), secrets: secretsFrom([randomBytes(32).toString('base64')]) }
    const bad = [
      `xw1.${forged}.${mac}`,
      accessToken.slice(0, -1),
      accessToken.slice(4),
      `xw2.${payload}.${mac}`,
      '',
      'xw1.',
      'xw1..',
      (await givenToken(world, ada)).secret,
      mintWriteToken(foreign, { repoId: repo.id, isPull: false }).accessToken,
      `xw1.${world.deps.secrets.signToken('something-else', claims)}`,
    ]
    for (const token of bad) expect(await codeOf(token)).toBe('bad-credentials')
  })

  test('end when the access token behind them is revoked', async () => {
    await givenTiny()
    const { actor } = await givenToken(world, ada)
    const { accessToken } = minted(actor)
    expect(await codeOf(accessToken)).toMatchObject({ userId: ada.id })
    await revokeToken(world.ctx(ada), actor.auth.kind === 'token' ? actor.auth.tokenId : '')
    expect(await codeOf(accessToken)).toBe('bad-credentials')
  })

  test('end when the session behind them ends, and not with another one', async () => {
    await givenTiny()
    const carl = await givenUser(world, `carl-${randomBytes(4).toString('hex')}`)
    const elsewhere = await world.db.write((tx) => beginSession(tx, world.ctx(), carl.id))
    const other = await actorOfSession(world.deps, elsewhere)
    const { accessToken } = minted(carl, { isPull: true })
    await logout(world.ctx(other))
    expect(await codeOf(accessToken)).toMatchObject({ userId: carl.id })
    await logout(world.ctx(carl))
    expect(await codeOf(accessToken)).toBe('bad-credentials')
  })

  test('end with the access token behind them', async () => {
    await givenTiny()
    const expiresAt = new Date(world.clock.now.getTime() + 5 * minute)
    const { actor } = await givenToken(world, ada, { expiresAt })
    const { accessToken } = minted(actor)
    expect(await codeOf(accessToken)).toMatchObject({ userId: ada.id })
    pass(5 * minute)
    expect(await codeOf(accessToken)).toBe('token-expired')
  })

  test('of a user end when the user is disabled', async () => {
    const bob = await givenUser(world, `bob-${randomBytes(4).toString('hex')}`)
    const theirs = await givenRepo(world, bob)
    const { accessToken } = minted(bob, { repoId: theirs.id })
    expect(await codeOf(accessToken)).toMatchObject({ userId: bob.id })
    await world.db.write(async ({ q, t }) => {
      await q.update(t.users).set({ disabled: true }).where(eq(t.users.id, bob.id))
    })
    expect(await codeOf(accessToken)).toBe('bad-credentials')
  })

  test('follow a repo that is renamed, and end with its deletion', async () => {
    await givenTiny()
    const { accessToken } = minted(ada)
    const renamed = await renameRepo(world.ctx(ada), repo, `${repo.name}-new`)
    expect(await codeOf(accessToken)).toMatchObject({ repoId: repo.id })
    await deleteRepo(world.ctx(ada), renamed)
    expect(await codeOf(accessToken)).toBe('forbidden')
  })

  test('for a pull request need the right to read alone; all others to write', async () => {
    await givenTiny()
    expect(await codeOf(minted(eve, { isPull: true }).accessToken)).toMatchObject({ userId: eve.id })
    expect(await codeOf(minted(eve).accessToken)).toBe('forbidden')
    await updateRepo(world.ctx(ada), repo, { visibility: 'private' })
    expect(await codeOf(minted(eve, { isPull: true }).accessToken)).toBe('forbidden')
  })

  test('by a token that may only read are refused', async () => {
    await givenTiny()
    const { actor } = await givenToken(world, ada, { scopes: ['read'] })
    expect(await codeOf(minted(actor).accessToken)).toBe('forbidden')
    expect(await codeOf(minted(actor, { isPull: true }).accessToken)).toBe('forbidden')
  })

  test('are checked from memory while nothing is written', async () => {
    await givenTiny()
    const { accessToken } = minted(ada)
    let reads = 0
    const q = new Proxy(world.db.q, {
      get: (target, name, receiver) => {
        if (name === 'select') reads++
        return Reflect.get(target, name, receiver) as unknown
      },
    })
    const ctx = { ...world.ctx(), db: dbWith(world.db, { q }) }
    for (let n = 0; n < 5; n++) await use(accessToken, ctx)
    // On Postgres other processes write, so that every use reads.
    expect(reads).toBe(world.engine === 'sqlite' ? 2 : 10)
  })
})
