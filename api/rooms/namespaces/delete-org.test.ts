import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { newId } from '../../stores/db/index.ts'
import { eachDatabase, givenOrg, givenUser } from '../../testing.ts'
import { fromChunks } from '../../stores/storage/index.ts'
import { setAvatar } from './avatars/change.ts'
import { openAvatar } from './avatars/open.ts'
import { deleteOrg } from './delete-org.ts'
import { findNamespace } from './index.ts'
import { getReadme, setReadme } from './readme/readme.ts'

eachDatabase('deleting an organisation', (world) => {
  const repo = (namespace_id: string, name: string, deleted_at: Date | null) => ({
    id: newId(),
    type: 'model' as const,
    namespace_id,
    name,
    name_key: name,
    visibility: 'private' as const,
    default_branch: 'main',
    discussions_enabled: true,
    created_at: world.clock.now,
    updated_at: world.clock.now,
    likes: 0,
    deleted_at,
  })

  test.each([
    ['a repo', false],
    ['a soft-deleted repo', true],
  ])('is refused while it owns %s', async (_, isDeleted) => {
    const admin = await givenUser(world, `admin-${isDeleted}`)
    const org = await givenOrg(world, `full-${isDeleted}`, admin)
    const row = repo(org.id, 'r', isDeleted ? world.clock.now : null)
    await world.db.write(async ({ q, t }) => {
      await q.insert(t.repos).values(row)
    })
    await expect(deleteOrg(world.ctx(admin), org.name)).rejects.toMatchObject({
      code: 'org-not-empty',
      status: 409,
    })
    await world.db.write(async ({ q, t }) => {
      await q.delete(t.repos).where(eq(t.repos.id, row.id))
    })
    await deleteOrg(world.ctx(admin), org.name)
    expect(await findNamespace(world.db, org.name)).toBeUndefined()
  })

  test('frees its name and takes its members’ roles', async () => {
    const [ada, bob] = [await givenUser(world, 'ada'), await givenUser(world, 'bob')]
    const first = await givenOrg(world, 'acme', ada, [[bob, 'admin']])
    await setAvatar(world.ctx(ada), 'acme', fromChunks(Buffer.from('RIFF\x10\0\0\0WEBPVP8 ')), undefined)
    await setReadme(world.ctx(ada), 'acme', '# We')
    await deleteOrg(world.ctx(ada), 'ACME')
    const { q, t } = world.db
    expect(await q.$count(t.members, eq(t.members.org_id, first.id))).toBe(0)
    const second = await givenOrg(world, 'acme', bob)
    expect(await getReadme(world.ctx(bob), 'acme')).toMatchObject({ text: '' })
    expect(await openAvatar(world.ctx(bob), 'acme')).toHaveProperty('svg')
    expect(second.id).not.toBe(first.id)
    await expect(deleteOrg(world.ctx(ada), 'acme')).rejects.toMatchObject({ code: 'forbidden' })
  })
})
