import { beforeAll, expect, test } from 'vitest'
import { setCollaborators } from '../../rooms/repos/people/collaborators.ts'
import { disableUser } from '../../rooms/auth/disable-user.ts'
import { eachDatabase, givenOrg, givenRepo, givenUser } from '../../testing.ts'
import { rolesOfPeople, type UserActor } from './index.ts'

eachDatabase('roles of people', (world) => {
  const people: Record<string, UserActor> = {}
  beforeAll(async () => {
    for (const name of ['ada', 'member', 'reader', 'invited', 'stranger', 'gone'])
      people[name] = await givenUser(world, name)
    people['chief'] = await givenUser(world, 'chief', { isAdmin: true })
  })
  const person = (name: string) => people[name] ?? expect.fail(name)

  test('are those of their memberships and invitations, and none of disabled people', async () => {
    const ada = person('ada')
    await givenOrg(world, 'acme', ada, [
      [person('member'), 'write'],
      [person('reader'), 'read'],
    ])
    await disableUser(world.ctx(), 'gone')
    for (const visibility of ['public', 'private'] as const) {
      const repo = await givenRepo(world, ada, { ns: 'acme', visibility })
      await setCollaborators(world.ctx(ada), repo, [{ username: 'invited', role: 'write' }])
      const names = Object.keys(people)
      const roles = await rolesOfPeople(
        world.db,
        repo,
        names.map((name) => person(name).id),
      )
      expect(Object.fromEntries(names.map((name) => [name, roles.get(person(name).id)]))).toEqual({
        ada: 'admin',
        chief: 'admin',
        gone: undefined,
        invited: 'write',
        member: 'write',
        reader: 'read',
        stranger: visibility === 'public' ? 'read' : undefined,
      })
    }
  })

  test('of no people are none', async () => {
    const repo = await givenRepo(world, person('ada'))
    expect((await rolesOfPeople(world.db, repo, [])).size).toBe(0)
  })
})
