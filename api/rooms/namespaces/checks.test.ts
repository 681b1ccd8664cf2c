import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { eachDatabase, givenOrg, givenUser } from '../../testing.ts'
import { namespaceCheck } from './checks.ts'

eachDatabase('namespaces check', (world) => {
  async function check(): Promise<string[]> {
    const found: string[] = []
    for await (const { message } of namespaceCheck.run(world.deps, { deep: false, repair: false }))
      found.push(message)
    return found
  }

  test('finds names that others could take, and organisations without an admin', async () => {
    const ada = await givenUser(world, 'Ada')
    const org = await givenOrg(world, 'Acme', ada)
    expect(await check()).toEqual([])
    const { members, namespaces } = world.db.t
    await world.db.write(({ q }) =>
      q.update(members).set({ role: 'write' }).where(eq(members.org_id, org.id)),
    )
    await world.db.write(({ q }) =>
      q.update(namespaces).set({ name_key: 'Ada' }).where(eq(namespaces.id, ada.id)),
    )
    expect(await check()).toEqual([
      'Ada does not hold its name: it is kept as Ada',
      'the organisation Acme has no admin',
    ])
  })
})
