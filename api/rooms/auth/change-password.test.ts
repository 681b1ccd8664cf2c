import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import type { UserActor } from '../../core/access/index.ts'
import { eachDatabase, givenToken, givenUser } from '../../testing.ts'
import { changePassword } from './change-password.ts'
import { hashPassword } from './passwords.ts'
import { actorOfSession, actorOfToken } from './principals.ts'
import { resetPassword } from './reset-password.ts'
import { login } from './testing.ts'

const present = 'quiet-otter-lamp-42'
const fresh = 'brisk-heron-vault-17'

eachDatabase('password change', (world) => {
  let passwordHash = ''
  beforeAll(async () => {
    passwordHash = await hashPassword(present)
  })
  let n = 0
  const given = () => givenUser(world, `user-${n++}`, { passwordHash })
  const change = (actor: UserActor, current_password = present, new_password = fresh) =>
    changePassword(world.ctx(actor), { current_password, new_password })
  const signIn = ({ username }: UserActor, password: string) =>
    login(world.ctx({ kind: 'anonymous' }), { username, password })

  test('replaces the password, ends every other session, and keeps this one and the tokens', async () => {
    const user = await given()
    const { secret: token } = await givenToken(world, user)
    const other = await signIn(user, present)
    await change(user)
    await expect(actorOfSession(world.deps, user.secret)).resolves.toBeTruthy()
    await expect(actorOfToken(world.deps, token)).resolves.toBeTruthy()
    await expect(actorOfSession(world.deps, other)).rejects.toMatchObject({ code: 'bad-credentials' })
    await expect(signIn(user, present)).rejects.toMatchObject({ code: 'bad-credentials' })
    await expect(signIn(user, fresh)).resolves.toBeTruthy()
  })

  test('needs the present password', async () => {
    await expect(change(await given(), 'wrong')).rejects.toMatchObject({
      code: 'wrong-password',
      status: 403,
      errors: [{ field: 'current_password' }],
    })
  })

  test('needs a good new one', async () => {
    await expect(change(await given(), present, 'password1234')).rejects.toMatchObject({
      code: 'weak-password',
      status: 422,
      errors: [{ field: 'new_password' }],
    })
  })

  test.each(['read', 'write', 'admin'] as const)('is refused to a token of scope %s', async (scope) => {
    const { actor } = await givenToken(world, await given(), { scopes: [scope] })
    await expect(change(actor)).rejects.toMatchObject({ code: 'session-required', status: 403 })
  })

  test('is refused to one who signs in elsewhere', async () => {
    const user = await givenUser(world, `user-${n++}`)
    await expect(change(user)).rejects.toMatchObject({ code: 'no-local-password', status: 403 })
  })

  test('counts wrong passwords toward the throttle of sign-in', async () => {
    const user = await given()
    for (let i = 0; i < 5; i++) {
      await expect(change(user, 'wrong')).rejects.toMatchObject({ code: 'wrong-password' })
      await expect(signIn(user, 'wrong')).rejects.toMatchObject({ code: 'bad-credentials' })
    }
    await expect(change(user)).rejects.toMatchObject({ code: 'throttled', status: 429 })
    await expect(signIn(user, present)).rejects.toMatchObject({ code: 'throttled' })
  })

  test('a reset is in the audit, with how many tokens went', async () => {
    const user = await given()
    await givenToken(world, user)
    await resetPassword(world.ctx(), user.username, fresh, { revokeTokens: true })
    const { audit: a } = world.db.t
    const rows = await world.db.q.select().from(a).where(eq(a.target_id, user.id))
    expect(rows.filter(({ action }) => action === 'password.reset')).toMatchObject([
      { target_type: 'user', after: { tokens_revoked: 1 } },
    ])
  })

  test('a reset from the command line ends all sessions and lifts the lock', async () => {
    const user = await given()
    for (let i = 0; i < 10; i++) await expect(signIn(user, 'wrong')).rejects.toMatchObject({ status: 401 })
    await resetPassword(world.ctx(), user.username.toUpperCase(), fresh)
    await expect(actorOfSession(world.deps, user.secret)).rejects.toMatchObject({ code: 'bad-credentials' })
    await expect(signIn(user, fresh)).resolves.toBeTruthy()
    await expect(resetPassword(world.ctx(), 'nobody', fresh)).rejects.toMatchObject({ code: 'not-found' })
  })
})
