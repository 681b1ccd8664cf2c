import { beforeAll, beforeEach, expect, test } from 'vitest'
import { eq } from 'drizzle-orm'
import { createOrg, findUser, updateAccount } from '../../namespaces/index.ts'
import { findMember } from '../../namespaces/queries.ts'
import { setMember } from '../../namespaces/set-member.ts'
import { eachDatabase, givenUser } from '../../../testing.ts'
import { appWith, attempt, givenProvider, type TestProvider } from './testing.ts'

eachDatabase('sign-in with a provider', (world) => {
  let idp: TestProvider
  let n = 0
  let ip = ''
  let rootId = ''
  beforeAll(async () => {
    rootId = (await givenUser(world, 'root', { isAdmin: true })).id
  })
  beforeEach(async () => {
    idp = await givenProvider()
    ip = `192.0.2.${n++}`
    return () => idp.close()
  })

  const open = { auto_create_users: true }
  const server = (more: object = {}, security = {}) =>
    appWith(world, [{ id: 'idp', issuer: idp.issuer, ...open, ...more }], security)
  const auditOf = async (action: string) => {
    const { q, t } = world.db
    return q.select().from(t.audit).where(eq(t.audit.action, action)).orderBy(t.audit.id)
  }
  const me = async (to: ReturnType<typeof server>, session: string | undefined) => {
    const answer = await to.app.request('/api/service/v1/me', {
      headers: { Cookie: `service_session=${session}` },
    })
    return answer.status === 200 ? ((await answer.json()) as Record<string, unknown>) : undefined
  }

  test('asks by code, PKCE, state and nonce, and sends the verifier and the secret', async () => {
    const { status, location, asked, form, headers } = await attempt(server(), idp, 'idp', 'ask', {
      ip,
      start: { next: '/models?q=1' },
    })
    expect({ status, location }).toEqual({ status: 303, location: '/models?q=1' })
    expect(Object.fromEntries(asked)).toMatchObject({
      response_type: 'code',
      client_id: 'arsenal',
      redirect_uri: 'http://localhost:8080/auth/oidc/idp/callback',
      scope: 'openid profile email',
      code_challenge_method: 'S256',
    })
    expect(asked.get('code_challenge')).toMatch(/^[\w-]{43}$/)
    expect(form?.get('code_verifier')).toMatch(/^[\w-]{43}$/)
    expect(headers.getSetCookie()).toContainEqual(
      'service_sign_in=; Max-Age=0; Path=/auth/oidc; HttpOnly; SameSite=Lax',
    )
  })

  test('a first sign-in makes the account from the claims, and a second finds it whatever the claims say', async () => {
    const to = server()
    const first = await attempt(to, idp, 'idp', 'subject-1', {
      ip,
      claims: { preferred_username: 'Ada.Löve@corp', name: 'Ada Löve', email: 'ada@idp.example' },
    })
    const account = await me(to, first.session)
    expect(account).toMatchObject({
      username: 'ada.l-ve',
      display_name: 'Ada Löve',
      email: 'ada@idp.example',
      email_verified: true,
      has_password: false,
      identities: [{ provider: 'idp', name: 'Ada.Löve@corp' }],
    })
    const again = await attempt(to, idp, 'idp', 'subject-1', {
      ip,
      claims: { preferred_username: 'renamed', name: 'Other', email: 'other@idp.example' },
    })
    expect(await me(to, again.session)).toMatchObject({
      id: account?.['id'],
      username: 'ada.l-ve',
      display_name: 'Ada Löve',
      email: 'ada@idp.example',
    })
  })

  test('a name that is taken gets a number; an address that is taken or unverified is left out', async () => {
    await givenUser(world, 'grace', { email: 'grace@idp.example' })
    const to = server()
    const taken = await attempt(to, idp, 'idp', 'subject-2', {
      ip,
      claims: { preferred_username: 'grace', email: 'grace@idp.example' },
    })
    const account = await me(to, taken.session)
    expect(account).toMatchObject({ username: 'grace-2' })
    expect(account).not.toHaveProperty('email')
    const unverified = await attempt(to, idp, 'idp', 'subject-3', { ip, claims: { email_verified: false } })
    expect(await me(to, unverified.session)).not.toHaveProperty('email')
  })

  test.each(['admin', '', 'API', '...', 'x'.repeat(500), '<b>'])(
    'the claim %j becomes a valid name',
    async (claim) => {
      const to = server()
      const { session } = await attempt(to, idp, 'idp', `valid-${n}`, {
        ip,
        claims: { preferred_username: claim },
      })
      expect(await me(to, session)).toMatchObject({ username: expect.stringMatching(/^[a-z0-9]/) as string })
    },
  )

  test('without auto_create_users nothing is stored, and the page names who it was, escaped', async () => {
    const to = server({ auto_create_users: false })
    const { status, text, session } = await attempt(to, idp, 'idp', 'stranger<1>', { ip })
    expect({ status, session }).toEqual({ status: 403, session: undefined })
    expect(text).toContain('You have no account on this server')
    expect(text).toContain('The idp')
    expect(text).toContain('stranger&lt;1&gt;')
    expect(text).toContain('Request id: ')
    expect(await findUser(world.db, 'stranger-1')).toBeUndefined()
    expect((await auditOf('login.fail')).at(-1)).toMatchObject({
      outcome: 'refused',
      after: { provider: 'idp', reason: 'no-account', subject: 'stranger<1>' },
    })
  })

  test('an account is never found by address or name', async () => {
    const hopper = await givenUser(world, 'hopper', { email: 'hopper@idp.example' })
    const to = server()
    const { session } = await attempt(to, idp, 'idp', 'hopper', { ip })
    expect((await me(to, session))?.['id']).not.toBe(hopper.id)
  })

  test('a disabled account stays out', async () => {
    const to = server()
    await attempt(to, idp, 'idp', 'gone', { ip })
    await world.db.write(async ({ q, t }) => {
      const user = await findUser(world.db, 'gone')
      await q
        .update(t.users)
        .set({ disabled: true })
        .where(eq(t.users.id, user?.id ?? ''))
    })
    expect(await attempt(to, idp, 'idp', 'gone', { ip })).toMatchObject({ status: 403, session: undefined })
  })

  test('claims that the ID token lacks come from userinfo, by dotted paths too', async () => {
    const to = server({
      claims: { username: 'who.login', email: 'email', name: 'name', groups: 'realm_access.roles' },
      admin_groups: ['chiefs'],
    })
    const { session } = await attempt(to, idp, 'idp', 'nested', {
      ip,
      claims: { preferred_username: undefined, email: undefined },
      userinfo: { who: { login: 'deep' }, realm_access: { roles: ['chiefs'] }, email: 'deep@idp.example' },
    })
    const account = await me(to, session)
    expect(account).toMatchObject({ username: 'deep', is_admin: true })
    // The ID token says that another address is verified.
    expect(account).not.toHaveProperty('email')
  })

  test.each([[['a', 'b']], ['a b'], ['x,b,a']])('groups %j are read', async (groups) => {
    const org = `org-${n}`
    const to = server({ org_mappings: [{ group: 'b', org, role: 'write' }] })
    const { session } = await attempt(to, idp, 'idp', `grouped-${n}`, { ip, claims: { groups } })
    expect((await me(to, session))?.['orgs']).toEqual([{ ns: org, display_name: org, role: 'write' }])
  })

  test('rights come and go with groups; the highest role counts; rights given by hand stay', async () => {
    const root = await givenUser(world, 'boss', { isAdmin: true })
    await createOrg(world.ctx(root), { ns: 'byhand' })
    await createOrg(world.ctx(root), { ns: 'bygroup' })
    const to = server({
      admin_groups: ['admins'],
      org_mappings: [
        { group: 'readers', org: 'bygroup', role: 'read' },
        { group: 'writers', org: 'ByGroup', role: 'write' },
        { group: 'writers', org: 'byhand', role: 'admin' },
      ],
    })
    const sign = async (groups: string[]) =>
      me(to, (await attempt(to, idp, 'idp', 'mover', { ip, claims: { groups } })).session)
    expect(await sign([])).toMatchObject({ is_admin: false, orgs: [] })
    await setMember(world.ctx(root), 'byhand', 'mover', 'read')
    expect(await sign(['readers', 'writers', 'admins'])).toMatchObject({
      is_admin: true,
      orgs: [
        { ns: 'bygroup', role: 'write' },
        { ns: 'byhand', role: 'read' },
      ],
    })
    const org = await world.db.q
      .select()
      .from(world.db.t.namespaces)
      .where(eq(world.db.t.namespaces.name, 'bygroup'))
    expect(await findMember(world.db, org[0]?.id ?? '', 'mover')).toMatchObject({ source: 'oidc:idp' })
    await expect(setMember(world.ctx(root), 'bygroup', 'mover', 'admin')).rejects.toMatchObject({
      code: 'state-conflict',
    })
    expect(await sign(['readers'])).toMatchObject({
      is_admin: false,
      orgs: [
        { ns: 'bygroup', role: 'read' },
        { ns: 'byhand', role: 'read' },
      ],
    })
    expect(await sign([])).toMatchObject({ orgs: [{ ns: 'byhand', role: 'read' }] })
    const user = await findUser(world.db, 'mover')
    await world.db.write(async (tx) => user && updateAccount(tx, world.ctx(root), user, { is_admin: true }))
    expect(await sign(['admins'])).toMatchObject({ is_admin: true })
    expect(await sign([])).toMatchObject({ is_admin: true })
  })

  test('two providers grant each their own', async () => {
    const other = await givenProvider()
    const mapping = (org: string) => ({
      ...open,
      org_mappings: [{ group: 'g', org, role: 'write' as const }],
    })
    const to = appWith(world, [
      { id: 'one', issuer: idp.issuer, ...mapping('of-one') },
      { id: 'two', issuer: other.issuer, ...mapping('of-two') },
    ])
    const claims = { groups: ['g'] }
    const first = await attempt(to, idp, 'one', 'dual', { ip, claims })
    const second = await attempt(to, other, 'two', 'dual', { ip, claims })
    const [a, b] = [await me(to, first.session), await me(to, second.session)]
    expect([a?.['username'], b?.['username']]).toEqual(['dual', 'dual-2'])
    expect([a?.['orgs'], b?.['orgs']]).toMatchObject([[{ ns: 'of-one' }], [{ ns: 'of-two' }]])
    await other.close()
  })

  test('the last admin of an organisation keeps the role, and the audit says so', async () => {
    const to = server({ org_mappings: [{ group: 'own', org: 'lonely', role: 'admin' }] })
    const sign = (groups: string[]) => attempt(to, idp, 'idp', 'lonely-admin', { ip, claims: { groups } })
    await sign(['own'])
    const { session } = await sign([])
    expect(await me(to, session)).toMatchObject({ orgs: [{ ns: 'lonely', role: 'admin' }] })
    expect((await auditOf('org.member.keep')).at(-1)).toMatchObject({
      outcome: 'refused',
      target_name: 'lonely',
      after: { source: 'oidc:idp', reason: 'last-admin' },
    })
  })

  test('of twenty sign-ins at once that would take every admin right, one leaves it', async () => {
    const to = server({ admin_groups: ['chiefs'] })
    const { users } = world.db.t
    const subjects = Array.from({ length: 10 }, (_, i) => `chief-${i}`)
    const sign = (subject: string, i: number, groups: string[]) =>
      attempt(to, idp, 'idp', subject, { ip: `198.51.100.${i}`, claims: { groups } })
    await world.db.write(({ q }) => q.update(users).set({ is_admin: false, admin_source: null }))
    for (const [i, subject] of subjects.entries()) await sign(subject, i, ['chiefs'])
    const isAdmin = eq(users.is_admin, true)
    expect(await world.db.q.$count(users, isAdmin)).toBe(10)
    const twice = [...subjects, ...subjects]
    const outcomes = await Promise.all(twice.map((subject, i) => sign(subject, i, [])))
    expect(outcomes.map(({ status }) => status)).toEqual(twice.map(() => 303))
    expect(await world.db.q.$count(users, isAdmin)).toBe(1)
    await world.db.write(({ q }) => q.update(users).set({ is_admin: true }).where(eq(users.id, rootId)))
  })

  test('a mapping to a name that a user has grants nothing, and the audit says so', async () => {
    await givenUser(world, 'occupied')
    const to = server({ org_mappings: [{ group: 'g', org: 'occupied', role: 'write' as const }] })
    const { session } = await attempt(to, idp, 'idp', 'mapped', { ip, claims: { groups: ['g'] } })
    expect(await me(to, session)).toMatchObject({ orgs: [] })
    expect((await auditOf('org.member.set')).at(-1)).toMatchObject({
      outcome: 'refused',
      after: { reason: 'name-taken' },
    })
  })

  test('many first sign-ins of one person at once make one account', async () => {
    const to = server({ org_mappings: [{ group: 'g', org: 'at-once', role: 'write' }] })
    const ids = new Set<unknown>()
    const all = await Promise.all(
      Array.from({ length: 5 }, () => attempt(to, idp, 'idp', 'hasty', { ip, claims: { groups: ['g'] } })),
    )
    for (const { session } of all) if (session) ids.add((await me(to, session))?.['id'])
    expect(ids.size).toBe(1)
  })

  test('a new session replaces the one before, and GET /auth/providers names the provider', async () => {
    const to = server()
    const { session = '' } = await attempt(to, idp, 'idp', 'again', { ip })
    const second = await attempt(to, idp, 'idp', 'again', { ip, session })
    expect(await me(to, session)).toBeUndefined()
    expect(await me(to, second.session)).toBeDefined()
    const providers = await (await to.app.request('/api/service/v1/auth/providers')).json()
    expect(providers).toMatchObject({
      providers: [{ id: 'idp', name: 'The idp', start_url: '/auth/oidc/idp/start' }],
    })
  })

  test.each(['open', 'invite', 'closed'])(
    'GET /auth/providers says that passwords are off, and registration is %s',
    async (registration) => {
      const to = server({}, { local_login: false, registration })
      const answer = await to.app.request('/api/service/v1/auth/providers')
      expect(answer.status).toBe(200)
      expect(await answer.json()).toEqual({
        local: false,
        registration,
        anonymous_read: false,
        providers: [{ id: 'idp', name: 'The idp', start_url: '/auth/oidc/idp/start' }],
        // Of the host name: the bootstrap admin may use one at /auth/login?local=1.
        passkeys: { possible: true },
      })
      expect(await attempt(to, idp, 'idp', `only-${n}`, { ip })).toMatchObject({ status: 303 })
    },
  )

  test.each([
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/a\tb',
    'models',
    `/${'x'.repeat(3000)}`,
  ])('next=%j leads home', async (next) => {
    expect(await attempt(server(), idp, 'idp', 'nexter', { ip, start: { next } })).toMatchObject({
      status: 303,
      location: '/',
    })
  })
})
