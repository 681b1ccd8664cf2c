import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { anonymous, type UserActor } from '../../core/access/index.ts'
import {
  eachDatabase,
  givenOrg,
  givenToken,
  givenUser,
  overtake,
  waysToOvertake,
  type Verb,
} from '../../testing.ts'
import type { Role } from '../../../shared/vocabulary.ts'
import { deleteOrg } from './delete-org.ts'
import { getMember, listMembers } from './members.ts'
import { removeMember } from './remove-member.ts'
import { setMember } from './set-member.ts'
import { updateOrg } from './update-org.ts'

eachDatabase('Members', (world) => {
  let n = 0
  const user = (stem = 'user') => givenUser(world, `${stem}-${n++}`)
  async function org(others: [UserActor, Role][] = []) {
    const admin = await user('admin')
    return { admin, org: await givenOrg(world, `Org-${n++}`, admin, others) }
  }
  const rolesIn = async (name: string) =>
    Object.fromEntries(
      (await listMembers(world.ctx(), name, { limit: 100 })).items.map((m) => [m.username, m.role]),
    )

  test('an admin adds one and changes the role; the time of joining stays', async () => {
    const [{ admin, org: acme }, ada] = [await org(), await user()]
    const joined = world.clock.now
    const added = await setMember(
      world.ctx(admin),
      acme.name.toLowerCase(),
      ada.username.toUpperCase(),
      'read',
    )
    expect(added).toMatchObject({ username: ada.username, role: 'read', source: 'manual', joined_at: joined })
    world.clock.now = new Date(joined.getTime() + 1000)
    expect(await setMember(world.ctx(admin), acme.name, ada.username, 'write')).toMatchObject({
      role: 'write',
      joined_at: joined,
    })
    expect(await getMember(world.ctx(ada), acme.name, ada.username)).toMatchObject({ role: 'write' })
  })

  test.each(['read', 'write'] as const)('one with %s cannot change members, but may leave', async (role) => {
    const ada = await user()
    const { admin, org: acme } = await org([[ada, role]])
    const forbidden = { code: 'forbidden', status: 403 }
    await expect(setMember(world.ctx(ada), acme.name, ada.username, 'admin')).rejects.toMatchObject(forbidden)
    await expect(removeMember(world.ctx(ada), acme.name, admin.username)).rejects.toMatchObject(forbidden)
    await expect(updateOrg(world.ctx(ada), acme.name, { bio: 'x' })).rejects.toMatchObject(forbidden)
    await expect(deleteOrg(world.ctx(ada), acme.name)).rejects.toMatchObject(forbidden)
    await removeMember(world.ctx(ada), acme.name, ada.username)
    expect(await rolesIn(acme.name)).toEqual({ [admin.username]: 'admin' })
  })

  test('an admin of one organisation has no right in another', async () => {
    const [mine, theirs] = [await org(), await org()]
    await expect(
      setMember(world.ctx(mine.admin), theirs.org.name, mine.admin.username, 'read'),
    ).rejects.toMatchObject({
      code: 'forbidden',
    })
  })

  test('tokens need write, and a fence that names the organisation', async () => {
    const { admin, org: acme } = await org()
    const ada = await user()
    const set = async (more: Parameters<typeof givenToken>[2]) =>
      setMember(world.ctx((await givenToken(world, admin, more)).actor), acme.name, ada.username, 'read')
    await expect(set({ scopes: ['read'] })).rejects.toMatchObject({ code: 'insufficient-scope' })
    await expect(set({ fence: { namespaces: ['other'] } })).rejects.toMatchObject({ code: 'not-found' })
    await expect(
      set({ fence: { repos: [{ type: 'model', ns: acme.name, name: 'x' }] } }),
    ).rejects.toMatchObject({
      code: 'forbidden',
    })
    await expect(set({ fence: { namespaces: [acme.name.toUpperCase()] } })).resolves.toBeTruthy()
  })

  test('the last admin is neither demoted nor removed, and cannot leave', async () => {
    const ada = await user()
    const { admin, org: acme } = await org([[ada, 'write']])
    const last = { code: 'last-admin', status: 409 }
    await expect(setMember(world.ctx(admin), acme.name, admin.username, 'write')).rejects.toMatchObject(last)
    await expect(removeMember(world.ctx(admin), acme.name, admin.username)).rejects.toMatchObject(last)
    await setMember(world.ctx(admin), acme.name, ada.username, 'admin')
    await removeMember(world.ctx(admin), acme.name, admin.username)
    expect(await rolesIn(acme.name)).toEqual({ [ada.username]: 'admin' })
  })

  test('of two admins who take each other’s role the first does, and stays', async () => {
    for (const how of waysToOvertake(world))
      for (const isSet of [true, false]) {
        const bob = await user()
        const { admin: ada, org: acme } = await org([[bob, 'admin']])
        const set: Verb<unknown> = {
          ctx: world.ctx(ada),
          run: (ctx) => setMember(ctx, acme.name, bob.username, 'read'),
        }
        const remove: Verb<unknown> = {
          ctx: world.ctx(bob),
          run: (ctx) => removeMember(ctx, acme.name, ada.username),
        }
        const [first, late] = isSet ? [set, remove] : [remove, set]
        await expect(overtake(how, { first, late })).rejects.toMatchObject({ code: 'last-admin' })
        expect(await rolesIn(acme.name)).toEqual(
          isSet ? { [ada.username]: 'admin', [bob.username]: 'read' } : { [bob.username]: 'admin' },
        )
      }
  })

  test('a role that an external group grants is not changed by hand', async () => {
    const ada = await user()
    const { admin, org: acme } = await org([[ada, 'read']])
    await world.db.write(async ({ q, t }) => {
      await q.update(t.members).set({ source: 'oidc:corp' }).where(eq(t.members.user_id, ada.id))
    })
    const refused = { code: 'state-conflict', status: 409 }
    await expect(setMember(world.ctx(admin), acme.name, ada.username, 'admin')).rejects.toMatchObject(refused)
    await expect(removeMember(world.ctx(admin), acme.name, ada.username)).rejects.toMatchObject(refused)
  })

  test('absent organisations, users and members are not found', async () => {
    const { admin, org: acme } = await org()
    const [absent, ctx] = [{ code: 'not-found', status: 404 }, world.ctx(admin)]
    const ada = await user()
    await expect(listMembers(ctx, 'nowhere', { limit: 1 })).rejects.toMatchObject(absent)
    await expect(listMembers(ctx, admin.username, { limit: 1 })).rejects.toMatchObject(absent)
    await expect(getMember(ctx, acme.name, ada.username)).rejects.toMatchObject(absent)
    await expect(setMember(ctx, acme.name, 'nobody', 'read')).rejects.toMatchObject(absent)
    await expect(setMember(ctx, acme.name, acme.name, 'read')).rejects.toMatchObject(absent)
    await expect(removeMember(ctx, acme.name, ada.username)).rejects.toMatchObject(absent)
  })

  test('the anonymous see none while anonymous reading is off', async () => {
    const { org: acme } = await org()
    const refused = { code: 'unauthenticated', status: 401 }
    for (const name of [acme.name, 'nowhere']) {
      await expect(listMembers(world.ctx(anonymous), name, { limit: 1 })).rejects.toMatchObject(refused)
      await expect(setMember(world.ctx(anonymous), name, 'x', 'read')).rejects.toMatchObject(refused)
      await expect(deleteOrg(world.ctx(anonymous), name)).rejects.toMatchObject(refused)
    }
  })

  test('every change is written into the audit, with before and after', async () => {
    const [{ admin, org: acme }, ada] = [await org(), await user()]
    await setMember(world.ctx(admin), acme.name, ada.username, 'read')
    await setMember(world.ctx(admin), acme.name, ada.username, 'write')
    await removeMember(world.ctx(admin), acme.name, ada.username)
    const { q, t } = world.db
    const rows = await q.select().from(t.audit).where(eq(t.audit.target_id, acme.id)).orderBy(t.audit.id)
    const member = (role: Role) => ({ username: ada.username, role })
    expect(rows.map((row) => [row.action, row.before, row.after])).toEqual([
      ['org.create', null, null],
      ['org.member.set', null, member('read')],
      ['org.member.set', member('read'), member('write')],
      ['org.member.remove', member('write'), null],
    ])
  })
})
