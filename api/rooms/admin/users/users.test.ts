import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import type { UserActor } from '../../../core/access/index.ts'
import { mountAuth } from '../../auth/handlers.ts'
import { hashPassword } from '../../auth/passwords.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { newId } from '../../../stores/db/index.ts'
import type { App } from '../../../core/http/env.ts'
import { nativeBase } from '../../../core/http/surface.ts'
import { jobEnded } from '../../../app/housekeeping.ts'
import { auditSeal } from '../../../core/events/index.ts'
import { enqueue } from '../../../core/jobs/index.ts'
import { runJobs } from '../../../core/jobs/testing.ts'
import { findUserById, updateMe } from '../../namespaces/index.ts'
import {
  appOf,
  eachDatabase,
  givenOrg,
  givenRepo,
  givenToken,
  givenUser,
  overtake,
  waysToOvertake,
} from '../../../testing.ts'
import { mountAdmin } from '../handlers.ts'
import { updateAdminUser } from './update.ts'

const password = 'quiet-otter-lamp-42'
type Json = Record<string, unknown>

eachDatabase('administration of people', (world) => {
  let app: App
  let root: UserActor
  let bearer = ''
  let ada: UserActor & { secret: string }
  beforeAll(async () => {
    app = appOf(world, {
      native: [mountAuth, mountAdmin({ kinds: [], ended: jobEnded, schedules: () => [] })],
    })
    root = await givenUser(world, 'root', { isAdmin: true })
    bearer = (await givenToken(world, root, { scopes: ['write', 'admin'] })).secret
    ada = await givenUser(world, 'ada', {
      email: 'ada@example.org',
      passwordHash: await hashPassword(password),
    })
    await givenUser(world, 'adam', { displayName: 'Lovelace_the 2nd' })
    await givenUser(world, 'zoe', { email: 'adrian@example.org' })
    await givenRepo(world, ada)
    await givenToken(world, ada, { name: 'laptop' })
  })

  async function call(method: string, path: string, body?: unknown, secret = bearer) {
    const answer = await app.request(nativeBase + path, {
      method,
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${secret}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    const isJson = /json(;|$)/.test(answer.headers.get('content-type') ?? '')
    return { status: answer.status, json: (isJson ? JSON.parse(text) : {}) as Json, text }
  }
  const names = async (query: string) =>
    ((await call('GET', `/admin/users?${query}`)).json['items'] as { username: string }[]).map(
      (user) => user.username,
    )

  test('users are listed in name order, by pages, by words and by filters', async () => {
    expect(await names('')).toEqual(['ada', 'adam', 'root', 'zoe'])
    expect(await names('q=AD')).toEqual(['ada', 'adam', 'zoe'])
    expect(await names('q=lace_')).toEqual(['adam'])
    expect(await names('q=%25')).toEqual([])
    expect(await names('admin=true')).toEqual(['root'])
    expect(await names('disabled=true')).toEqual([])
    expect(await names('provider=idp')).toEqual([])
    const { json } = await call('GET', '/admin/users?limit=3&q=ad')
    expect(json['next_cursor']).toBe('')
    const first = await call('GET', '/admin/users?limit=3')
    const cursor = encodeURIComponent(String(first.json['next_cursor']))
    expect(await names(`limit=3&cursor=${cursor}`)).toEqual(['zoe'])
    expect((await call('GET', `/admin/users?q=a&limit=3&cursor=${cursor}`)).status).toBe(400)
    const [shown] = (await call('GET', '/admin/users?q=ada')).json['items'] as Json[]
    expect(shown).toMatchObject({ has_password: true, repo_count: 1, token_count: 1, identities: [] })
    expect(shown?.['storage_bytes']).toBeGreaterThan(0)
    expect(JSON.stringify(shown)).not.toMatch(/argon2|password_hash/)
  })

  test('an account without a password comes with the link by which its person sets one', async () => {
    const made = await call('POST', '/admin/users', { username: 'bea', email: 'bea@example.org' })
    expect(made).toMatchObject({
      status: 201,
      json: { username: 'bea', email_verified: true, has_password: false },
    })
    expect((made.json['reset_link'] as Json)['url']).toMatch(/\/links\/[\w-]{43}$/)
    const other = await call('POST', '/admin/users', { username: 'cleo', password, is_admin: true })
    expect(other).toMatchObject({ status: 201, json: { is_admin: true, has_password: true } })
    expect(other.json).not.toHaveProperty('reset_link')
    for (const [body, status, code] of [
      [{ username: 'Bea' }, 409, 'name-taken'],
      [{ username: 'dora', email: 'BEA@example.org' }, 409, 'email-taken'],
      [{ username: 'dora', password: 'x' }, 422, 'weak-password'],
      [{ username: 'a b' }, 422, 'invalid-name'],
      [{ username: 'dora', display_name: 'ä'.repeat(51) }, 422, 'validation-failed'],
      [{ username: 'dora', id: 'x' }, 422, 'validation-failed'],
    ] as const)
      expect(await call('POST', '/admin/users', body)).toMatchObject({ status, json: { code } })
  })

  test('a user is changed, disabled with immediate effect, and enabled', async () => {
    const user = await givenUser(world, 'elle')
    const { secret } = await givenToken(world, user)
    const path = `/admin/users/${user.id}`
    const change = { display_name: 'Elle', email: 'elle@example.org', is_admin: true }
    expect(await call('PATCH', path, change)).toMatchObject({
      status: 200,
      json: { ...change, email_verified: true },
    })
    expect(await call('PATCH', path, { email: 'ada@example.org' })).toMatchObject({ status: 409 })
    expect(await call('PATCH', path, { is_admin: false, email: '' })).toMatchObject({
      json: { is_admin: false },
    })
    expect((await call('GET', '/me', undefined, secret)).status).toBe(200)
    expect(await call('PATCH', path, { disabled: true })).toMatchObject({
      status: 200,
      json: { disabled: true },
    })
    expect((await call('GET', '/me', undefined, secret)).status).toBe(401)
    expect(await call('PATCH', path, { disabled: false })).toMatchObject({ json: { disabled: false } })
    expect((await call('GET', '/me', undefined, secret)).status).toBe(200)
  })

  test('a session older than ten minutes neither makes nor removes an admin', async () => {
    const deputy = await givenUser(world, 'vice', { isAdmin: true })
    const user = await givenUser(world, 'gwen')
    const before = world.clock.now
    world.clock.now = new Date(before.getTime() + 10 * 60_000 + 1)
    const change = (id: string, is_admin: boolean) => updateAdminUser(world.ctx(root), id, { is_admin })
    const stale = { status: 403, code: 'fresh-sign-in-required' }
    await expect(change(user.id, true)).rejects.toMatchObject(stale)
    await expect(change(deputy.id, false)).rejects.toMatchObject(stale)
    // What changes nothing needs no proof.
    await change(deputy.id, true)
    expect(await findUserById(world.db, deputy.id)).toMatchObject({ is_admin: true })
    world.clock.now = before
    await change(deputy.id, false)
    expect(await findUserById(world.db, deputy.id)).toMatchObject({ is_admin: false })
  })

  test('a pending address goes when an admin sets another', async () => {
    const user = await givenUser(world, 'finn')
    await updateMe(world.ctx(user), { email: 'finn@example.org' })
    expect((await call('GET', `/admin/users/${user.id}`)).json['pending_email']).toBe('finn@example.org')
    await call('PATCH', `/admin/users/${user.id}`, { email: 'other@example.org' })
    expect((await call('GET', `/admin/users/${user.id}`)).json).not.toHaveProperty('pending_email')
  })

  test('sessions and tokens of a user are shown, ended and revoked', async () => {
    const base = `/admin/users/${ada.id}`
    const sessions = (await call('GET', `${base}/sessions`)).json['items'] as Json[]
    expect(sessions).toMatchObject([{ ip: '127.0.0.1', user_agent: 'vitest' }])
    const [token] = (await call('GET', `${base}/tokens`)).json['items'] as Json[]
    expect(token).toMatchObject({ name: 'laptop', scopes: ['write'] })
    expect(await call('DELETE', `/admin/users/${root.id}/tokens/${String(token?.['id'])}`)).toMatchObject({
      status: 404,
    })
    expect((await call('DELETE', `${base}/tokens/${String(token?.['id'])}`)).status).toBe(204)
    expect((await call('DELETE', `${base}/sessions`)).status).toBe(204)
    expect((await call('GET', `${base}/sessions`)).json['items']).toEqual([])
    expect((await call('GET', `${base}/tokens`)).json['items']).toEqual([])
  })

  test('of two admins who take the right from each other at once, one stays', async () => {
    const { users } = world.db.t
    const names = ['chief', 'deputy']
    const two = await Promise.all(names.map((name) => givenUser(world, name, { isAdmin: true })))
    const before = await world.db.q.select().from(users)
    const others = before.filter(({ id, is_admin }) => is_admin && !two.some((each) => each.id === id))
    await world.db.write(async ({ q }) => {
      for (const { id } of others) await q.update(users).set({ is_admin: false }).where(eq(users.id, id))
    })
    const [one, other] = two
    if (!one || !other) throw new Error('two admins')
    const demoting = (by: UserActor, whom: UserActor) => ({
      ctx: world.ctx(by),
      run: (ctx: Ctx) => updateAdminUser(ctx, whom.id, { is_admin: false }),
    })
    for (const how of waysToOvertake(world)) {
      const both = { first: demoting(one, other), late: demoting(other, one), lock: /^update "users"/ }
      await expect(overtake(how, both)).rejects.toMatchObject({ code: 'last-admin', status: 409 })
      expect([await findUserById(world.db, one.id), await findUserById(world.db, other.id)]).toMatchObject([
        { is_admin: true },
        { is_admin: false },
      ])
      await world.db.write(async ({ q }) => {
        await q.update(users).set({ is_admin: true }).where(eq(users.id, other.id))
      })
    }
    await world.db.write(async ({ q }) => {
      for (const { id } of others) await q.update(users).set({ is_admin: true }).where(eq(users.id, id))
    })
  })

  test('organisations are listed in name order with their people and what they hold', async () => {
    await givenOrg(world, 'beta', ada, [[root, 'read']])
    await givenOrg(world, 'Alpha', root)
    await givenRepo(world, ada, { ns: 'beta' })
    const { json } = await call('GET', '/admin/orgs')
    expect(json['items']).toMatchObject([
      { ns: 'Alpha', members: 1, admins: ['root'], repos: 0, storage_bytes: 0 },
      { ns: 'beta', members: 2, admins: ['ada'], repos: 1 },
    ])
    const found = (await call('GET', '/admin/orgs?q=ET')).json['items'] as Json[]
    expect(found.map((org) => org['ns'])).toEqual(['beta'])
  })

  test('the audit is listed by filters and exported as lines', async () => {
    const { q, t } = world.db
    const before = await q.$count(t.audit)
    await world.db.write(async (tx) => {
      for (let i = 0; i < 2100; i++)
        await tx.q.insert(t.audit).values({
          id: newId(),
          at: world.clock.now,
          auth_kind: 'system',
          action: i % 2 ? 'test.odd' : 'test.even',
          target_type: 'test',
          target_id: String(i),
          target_name: 'x',
          outcome: 'ok',
        })
    })
    const list = async (query: string) => (await call('GET', `/admin/audit?${query}`)).json['items'] as Json[]
    expect(await list('action=test.odd&limit=2')).toMatchObject([
      { target: { id: '2099' } },
      { target: { id: '2097' } },
    ])
    expect((await list('actor=ROOT&action=token.revoke'))[0]).toMatchObject({
      actor: 'root',
      auth_kind: 'token',
    })
    expect(await list('action=user.create&target=bea')).toMatchObject([
      { target: { name: 'bea' }, actor: 'root' },
    ])
    expect(await list('outcome=refused&action=test.')).toEqual([])
    expect(await list(`from=${new Date(world.clock.now.getTime() + 1).toISOString()}`)).toEqual([])
    const lines = (await call('GET', '/admin/audit/export?action=test.')).text.trimEnd().split('\n')
    expect(lines).toHaveLength(2100)
    const shown = JSON.parse(lines[0] ?? '') as Json
    expect(shown).toMatchObject({ action: 'test.even', target: { id: '0' } })
    expect(await q.$count(t.audit)).toBe(before + 2100)
  })

  test('the chain over the audit is checked', async () => {
    await world.db.write((tx) => enqueue(tx, world.ctx(), auditSeal, {}))
    await runJobs(world.deps, [auditSeal])
    const { status, json } = await call('GET', '/admin/audit/chain')
    const { seq, hash } = json['head'] as { seq: number; hash: string }
    expect({ status, ...json }).toMatchObject({
      status: 200,
      is_whole: true,
      checked: seq,
      unsealed: 0,
      faults: [],
    })
    const asked = (seal: string) => call('GET', `/admin/audit/chain?seal=${seal}`)
    expect((await asked(`${seq}:${hash}`)).json).toMatchObject({ is_whole: true })
    expect((await asked(`${seq + 1}:${hash}`)).json).toMatchObject({
      is_whole: false,
      faults: [{ kind: 'removed', seq: seq + 1 }],
    })
    expect((await asked('latest')).status).toBe(422)
  })
})
