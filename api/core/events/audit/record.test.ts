import { asc, gt } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { anonymous, type UserActor } from '../../access/index.ts'
import { changePassword } from '../../../rooms/auth/change-password.ts'
import { createAccount } from '../../../rooms/auth/create-account.ts'
import { createToken } from '../../../rooms/auth/create-token.ts'
import { decideDevice } from '../../../rooms/auth/decide-device.ts'
import { login } from '../../../rooms/auth/login.ts'
import { hashPassword } from '../../../rooms/auth/passwords.ts'
import { redeemDevice } from '../../../rooms/auth/redeem-device.ts'
import { requestDevice } from '../../../rooms/auth/request-device.ts'
import { resetPassword } from '../../../rooms/auth/reset-password.ts'
import { listSessions, revokeSession } from '../../../rooms/auth/sessions.ts'
import { revokeToken } from '../../../rooms/auth/tokens.ts'
import type { Ctx } from '../../ctx.ts'
import { newId } from '../../../stores/db/index.ts'
import { codeOf } from '../../lfs/testing.ts'
import { createOrg } from '../../../rooms/namespaces/create-org.ts'
import { deleteOrg } from '../../../rooms/namespaces/delete-org.ts'
import { setAdminByName } from '../../../rooms/namespaces/admin-right.ts'
import { removeMember } from '../../../rooms/namespaces/remove-member.ts'
import { setMember } from '../../../rooms/namespaces/set-member.ts'
import { updateOrg } from '../../../rooms/namespaces/update-org.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { createAccessRequest } from '../../../rooms/repos/people/access-requests.ts'
import { decideAccessRequest, grantAccess } from '../../../rooms/repos/people/decide-access.ts'
import { setCollaborators } from '../../../rooms/repos/people/collaborators.ts'
import { createRepo, deleteRepo, moveRepo, updateRepo, type Repo } from '../../../rooms/repos/index.ts'
import { restoreRepo } from '../../../rooms/repos/lifecycle/restore.ts'
import { eachDatabase, givenOrg, givenRepo, givenUser } from '../../../testing.ts'

const password = 'quiet-otter-lamp-42'
const better = 'brisk-heron-vault-77'

eachDatabase('the audit', (world) => {
  let made = 0
  let ada: UserActor
  let bob: UserActor
  let repo: Repo
  let org = ''
  beforeEach(async () => {
    ada = await givenUser(world, `ada${++made}`, { passwordHash: await hashPassword(password) })
    bob = await givenUser(world, `bob${made}`)
    repo = await givenRepo(world, ada, { name: 'r', visibility: 'public', gated: 'manual' })
    org = (await givenOrg(world, `org${made}`, ada)).name
  })
  const of = (actor?: UserActor) => world.ctx(actor)
  const nobody = (): Ctx => world.ctx(anonymous)

  /** The rows that `change` adds, in their order; it must end as `outcome` says, which is a Problem's code or `ok`. */
  async function rowsOf(change: () => Promise<unknown>, outcome = 'ok') {
    const { q, t } = world.db
    const mark = newId()
    expect(await codeOf(change())).toBe(outcome)
    return q.select().from(t.audit).where(gt(t.audit.id, mark)).orderBy(asc(t.audit.id))
  }

  const token = () => createToken(of(ada), { name: 'ci', scopes: ['read'], fence: null, expiresAt: null })
  const at = () => ({ type: repo.type, ns: repo.ns, name: repo.name })

  const changes: [string, string[], () => Promise<unknown>, string?][] = [
    ['sign-in', ['login.ok'], () => login(nobody(), { username: ada.username, password })],
    [
      'wrong password',
      ['login.fail refused'],
      () => login(nobody(), { username: ada.username, password: 'x' }),
      'bad-credentials',
    ],
    [
      'unknown user',
      ['login.fail refused'],
      () => login(nobody(), { username: 'nobody', password: 'x' }),
      'bad-credentials',
    ],
    [
      'password change',
      ['password.change'],
      () => changePassword(of(ada), { current_password: password, new_password: better }),
    ],
    [
      'password change without the present one',
      ['password.fail refused'],
      () => changePassword(of(ada), { current_password: 'x', new_password: better }),
      'wrong-password',
    ],
    ['password reset', ['password.reset'], () => resetPassword(of(), ada.username, better)],
    ['user by command', ['user.create'], () => createAccount(of(), { username: `eve${made}`, password })],
    ['admin by command', ['user.admin.set'], () => setAdminByName(of(), bob.username, true)],
    ['token', ['token.create', 'token.revoke'], async () => revokeToken(of(ada), (await token()).token.id)],
    [
      'session',
      ['session.revoke'],
      async () => {
        const [session] = (await listSessions(of(ada), { limit: 1 })).items
        await revokeSession(of(ada), session?.id ?? '')
      },
    ],
    [
      'device',
      ['device.approve', 'token.create'],
      async () => {
        const { deviceCode, login: waiting } = await requestDevice(nobody())
        await decideDevice(of(ada), waiting.user_code, 'approve')
        await redeemDevice(nobody(), deviceCode)
      },
    ],
    [
      'denied device',
      ['device.deny'],
      async () => decideDevice(of(ada), (await requestDevice(nobody())).login.user_code, 'deny'),
    ],
    [
      'Organisation',
      ['org.create', 'org.update', 'org.delete'],
      async () => {
        const { name, id } = await createOrg(of(ada), { ns: `new${made}` })
        const founder = { ...ada, roles: new Map([...ada.roles, [id, 'admin' as const]]) }
        await updateOrg(of(founder), name, { bio: 'x' })
        await deleteOrg(of(founder), name)
      },
    ],
    [
      'Member',
      ['org.member.set', 'org.member.remove'],
      async () => {
        await setMember(of(ada), org, bob.username, 'write')
        await removeMember(of(ada), org, bob.username)
      },
    ],
    [
      'Repo',
      ['repo.create', 'repo.rename', 'repo.transfer'],
      async () => {
        const { type, ns, name } = await createRepo(of(ada), { type: 'model', ns: ada.username, name: 'x' })
        await moveRepo(of(ada), { type, ns, name }, { ns, name: 'y' })
        await moveRepo(of(ada), { type, ns, name: 'y' }, { ns: org, name: 'y' })
      },
    ],
    ['visibility', ['repo.update'], () => updateRepo(of(ada), at(), { visibility: 'private' })],
    ['gate', ['repo.update'], () => updateRepo(of(ada), at(), { gated: null })],
    [
      'deletion',
      ['repo.delete', 'repo.restore'],
      async () => {
        await deleteRepo(of(ada), at())
        await restoreRepo(of(ada), at())
      },
    ],
    [
      'collaborator',
      ['repo.collaborators.set'],
      () => setCollaborators(of(ada), at(), [{ username: bob.username, role: 'read' }]),
    ],
    [
      'access',
      [
        'repo.access.request',
        'repo.access.accept',
        'repo.access.reopen',
        'repo.access.reject',
        'repo.access.grant',
      ],
      async () => {
        const request = await createAccessRequest(of(bob), at(), {})
        for (const status of ['accepted', 'pending', 'rejected'] as const)
          await decideAccessRequest(of(ada), at(), request, { status })
        await grantAccess(of(ada), at(), bob.username)
      },
    ],
    ['what is refused', [], () => updateRepo(of(bob), at(), { visibility: 'private' }), 'forbidden'],
    ['a name that cannot be', [], () => moveRepo(of(ada), at(), { ns: org, name: 'a b' }), 'invalid-name'],
  ]

  test.each(changes)('tells of %s: %j', async (_, actions, change, outcome) => {
    const rows = await rowsOf(change, outcome)
    expect(rows.map(({ action, outcome }) => (outcome === 'ok' ? action : `${action} ${outcome}`))).toEqual(
      actions,
    )
    expect(JSON.stringify(rows)).not.toMatch(/quiet-otter|brisk-heron|hf_asl_/)
  })

  test('names the owner of a token that a device redeemed', async () => {
    const rows = await rowsOf(async () => {
      const { deviceCode, login: waiting } = await requestDevice(nobody())
      await decideDevice(of(ada), waiting.user_code, 'approve')
      await redeemDevice(nobody(), deviceCode)
    })
    expect(rows[0]).toMatchObject({ actor_id: ada.id, auth_kind: 'session' })
    expect(rows[1]).toMatchObject({ actor_id: null, after: { user_id: ada.id } })
  })

  test('exists only with the change: when the transaction fails, neither is there', async () => {
    const ctx = of(ada)
    const failing = {
      ...ctx,
      db: Object.assign(Object.create(ctx.db) as Ctx['db'], {
        q: ctx.db.q,
        t: ctx.db.t,
        write: (change: Parameters<Ctx['db']['write']>[0]) =>
          ctx.db.write(async (tx) => {
            await change(tx)
            throw new Problem('temporarily-unavailable')
          }),
      }),
    }
    const rows = await rowsOf(
      () => updateRepo(failing, at(), { visibility: 'private' }),
      'temporarily-unavailable',
    )
    expect(rows).toEqual([])
    expect((await rowsOf(() => updateRepo(ctx, at(), { visibility: 'private' }))).length).toBe(1)
  })
})
