import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { buildApp } from '../../app/app.ts'
import { nativeBase } from '../../core/http/surface.ts'
import { eachDatabase, givenOrg, givenRepo, givenUser, testConfig } from '../../testing.ts'
import { givenWebhook } from '../webhooks/testing.ts'
import { createToken } from './create-token.ts'
import { attempt, givenProvider, type TestProvider } from './oidc/testing.ts'
import { hashPassword } from './passwords.ts'
import { actorOfSession } from './principals.ts'

const password = 'quiet-otter-lamp-42'
const minute = 60_000

/** What a session that lies open on a desk may not do, with `{names}` of what there is. */
const steps: Record<string, [method: string, path: string, body?: object]> = {
  'make a user an admin': ['PATCH', '/admin/users/{user}', { is_admin: true }],
  'create an admin': ['POST', '/admin/users', { username: 'made-{tag}', is_admin: true }],
  'invite an admin': ['POST', '/admin/invites', { is_admin: true }],
  'show a link that sets a password': ['POST', '/admin/users/{user}/reset-link'],
  'show a token for administration': ['POST', '/me/tokens', { name: 'chief', scopes: ['admin'] }],
  'give a webhook another secret': ['PATCH', '/webhooks/{webhook}', { secret: 'open sesame' }],
  'change policies': ['PATCH', '/admin/policies', { token_require_expiry: false }],
  'delete an organisation': ['DELETE', '/orgs/{org}'],
}

eachDatabase('a session whose sign-in is older than ten minutes', (world) => {
  let n = 0
  let idp: TestProvider
  let began: Date
  beforeEach(async () => {
    began = world.clock.now
    idp = await givenProvider()
  })
  afterEach(async () => {
    await idp.close()
    world.clock.now = began
  })
  const later = (ms: number) => (world.clock.now = new Date(world.clock.now.getTime() + ms))

  function server() {
    const provider = {
      id: 'idp',
      name: 'Corp',
      issuer: idp.issuer,
      client_id: 'arsenal',
      admin_groups: ['chiefs'],
    }
    const config = testConfig(world.dir, { oidc: { providers: [{ ...provider, auto_create_users: true }] } })
    const deps = { ...world.deps, config }
    return { deps, app: buildApp(deps, { state: 'ready', check: async () => undefined }) }
  }

  /** The caller of a session, and what they own. */
  async function givenDesk(to: ReturnType<typeof server>, secret: string) {
    const actor = await actorOfSession(world.deps, secret)
    if (actor.kind !== 'user' || actor.auth.kind !== 'session') throw new Error('no session')
    const tag = `${n++}`
    const org = await givenOrg(world, `desk-${tag}`, actor)
    const repo = await givenRepo(world, actor)
    const { webhook } = await givenWebhook(world, actor, { url: 'https://8.8.8.8/', watched: [{ repo }] })
    const names = {
      tag,
      org: org.name,
      webhook: webhook.id,
      user: (await givenUser(world, `user-${tag}`)).id,
    }
    const filled = (text: string) =>
      text.replaceAll(/\{(\w+)\}/g, (_, name: string) => names[name as keyof typeof names])
    const headers = {
      Cookie: `service_session=${secret}`,
      'X-CSRF-Token': world.deps.secrets.csrfFor(actor.auth.sessionId),
      'Content-Type': 'application/json',
    }
    return async ([method, path, body]: (typeof steps)[string]) => {
      const answer = await to.app.request(nativeBase + filled(path), {
        method,
        headers,
        ...(body && { body: filled(JSON.stringify(body)) }),
      })
      const text = await answer.text()
      return { status: answer.status, code: text ? (JSON.parse(text) as { code?: string }).code : undefined }
    }
  }
  const refused = { status: 403, code: 'fresh-sign-in-required' }

  describe.each(Object.entries(steps))('may not %s', (_, step) => {
    test('until the person has given their password', async () => {
      const root = await givenUser(world, `root-${n++}`, {
        isAdmin: true,
        passwordHash: await hashPassword(password),
      })
      const ask = await givenDesk(server(), root.secret)
      later(10 * minute + 1)
      const { audit } = world.db.t
      const before = await world.db.q.$count(audit)
      expect(await ask(step)).toEqual(refused)
      expect(await world.db.q.$count(audit)).toBe(before)
      expect((await ask(['POST', '/me/confirmation', { current_password: password }])).status).toBeLessThan(
        300,
      )
      later(10 * minute)
      expect((await ask(step)).status).toBeLessThan(300)
    })

    test('until the provider has asked them who they are', async () => {
      const to = server()
      const how = { ip: `192.0.2.${n++}`, claims: { groups: ['chiefs'] } }
      const first = await attempt(to, idp, 'idp', `chief-${n}`, how)
      const ask = await givenDesk(to, first.session ?? '')
      later(10 * minute + 1)
      expect(await ask(step)).toEqual(refused)
      const again = { ...how, start: { confirm: '1' }, ...(first.session && { session: first.session }) }
      const { asked, session } = await attempt(to, idp, 'idp', `chief-${n}`, again)
      expect(asked.get('prompt')).toBe('login')
      expect((await (await givenDesk(to, session ?? ''))(step)).status).toBeLessThan(300)
    })
  })

  test('may do what shows no secret and gives no right', async () => {
    const root = await givenUser(world, `plain-${n++}`, { isAdmin: true })
    const ask = await givenDesk(server(), root.secret)
    later(10 * minute + 1)
    for (const step of [
      ['PATCH', '/admin/users/{user}', { display_name: 'Renamed' }],
      ['PATCH', '/admin/users/{user}', { is_admin: false }],
      ['GET', '/webhooks/{webhook}'],
    ] satisfies (typeof steps)[string][])
      expect((await ask(step)).status).toBe(200)
    const plain = { name: 'plain', scopes: ['read' as const], fence: null, expiresAt: null }
    await expect(createToken(world.ctx(root), plain)).resolves.toBeTruthy()
  })
})
