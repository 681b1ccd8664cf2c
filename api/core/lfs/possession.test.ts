import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { Actor, UserActor } from '../access/index.ts'
import { deleteRepo } from '../../rooms/repos/index.ts'
import { eachDatabase, givenOrg, givenToken, givenUser } from '../../testing.ts'
import { givenLink, givenObject, givenRepo } from '../../rooms/uploads/testing.ts'
import { givenContent, hours, pass } from './testing.ts'
import { findInRepo, findUsable, mayUse, touch } from './index.ts'

eachDatabase('possession', (world) => {
  const uses = (actor: Actor, sha256: string) => mayUse(world.db, world.ctx(actor), sha256)
  let made = 0
  const user = () => givenUser(world, `user${++made}`)

  test('only the user who uploaded an object may use it everywhere', async () => {
    const [owner, stranger] = [await user(), await user()]
    const { sha256 } = await givenObject(world, owner, await givenRepo(world, owner, 'a'))
    expect(await uses(owner, sha256)).toBe(true)
    expect(await uses(stranger, sha256)).toBe(false)
    expect(await uses({ kind: 'anonymous' }, sha256)).toBe(false)
    expect(await uses({ kind: 'system' }, sha256)).toBe(true)
    expect(await uses(owner, givenContent().sha256)).toBe(false)
  })

  test('a grant ends after gc.grace_period; a link keeps', async () => {
    const owner = await user()
    const repo = await givenRepo(world, owner, 'a')
    const [granted, linked] = [await givenObject(world, owner, repo), await givenObject(world, owner, repo)]
    await givenLink(world, repo, linked)
    pass(world, hours(168) + 1)
    expect(await uses(owner, granted.sha256)).toBe(false)
    expect(await uses(owner, linked.sha256)).toBe(true)
  })

  async function linkedIn(more: Parameters<typeof givenRepo>[3]) {
    const owner = await user()
    const repo = await givenRepo(world, owner, 'linked', more)
    const content = await givenObject(world, owner, repo)
    await givenLink(world, repo, content)
    return { owner, repo, sha256: content.sha256 }
  }

  test('a link in a repo one can read is enough; a private or deleted repo lends nothing', async () => {
    const stranger = await user()
    const [open, hidden] = [await linkedIn({ visibility: 'public' }), await linkedIn({})]
    expect(await uses(stranger, open.sha256)).toBe(true)
    expect(await uses({ kind: 'anonymous' }, open.sha256)).toBe(false)
    expect(await uses(stranger, hidden.sha256)).toBe(false)
    await deleteRepo(world.ctx(open.owner), open.repo)
    expect(await uses(stranger, open.sha256)).toBe(false)
  })

  test('a gated repo lends to writers and accepted applicants alone', async () => {
    const [pending, accepted, writer] = [await user(), await user(), await user()]
    const { repo, sha256 } = await linkedIn({ visibility: 'public', gated: 'manual' })
    await world.db.write(async ({ q, t }) => {
      for (const [who, status] of [
        [pending, 'pending'],
        [accepted, 'accepted'],
      ] as const)
        await q.insert(t.access_requests).values({
          id: `${who.id}-r`,
          repo_id: repo.id,
          user_id: who.id,
          status,
          requested_at: world.clock.now,
        })
      await q.insert(t.collaborators).values({ repo_id: repo.id, user_id: writer.id, role: 'write' })
    })
    expect(await uses(pending, sha256)).toBe(false)
    expect(await uses(accepted, sha256)).toBe(true)
    expect(await uses(writer, sha256)).toBe(true)
  })

  test('a member reads what the organisation links', async () => {
    const [admin, member, other] = [await user(), await user(), await user()]
    const org = await givenOrg(world, 'acme', admin, [[member, 'read']])
    const repo = await givenRepo(world, admin, 'shared', { ns: org.name })
    const content = await givenObject(world, admin, repo)
    await givenLink(world, repo, content)
    expect(await uses(member, content.sha256)).toBe(true)
    expect(await uses(other, content.sha256)).toBe(false)
  })

  test('a fenced token uses what was uploaded or linked inside its fence', async () => {
    const owner = await user()
    const [inside, outside] = [
      await givenRepo(world, owner, 'inside'),
      await givenRepo(world, owner, 'outside'),
    ]
    const [here, there] = [await givenObject(world, owner, inside), await givenObject(world, owner, outside)]
    const linked = await givenObject(world, owner, outside)
    await givenLink(world, outside, linked)
    const fence = { repos: [{ type: 'model' as const, ns: owner.username, name: 'inside' }] }
    const { actor } = await givenToken(world, owner, { fence })
    expect(await uses(actor, here.sha256)).toBe(true)
    expect(await uses(actor, there.sha256)).toBe(false)
    expect(await uses(actor, linked.sha256)).toBe(false)
  })

  test('what it uploaded to a public repo outside its fence does not count, though anybody reads there', async () => {
    const owner = await user()
    await givenRepo(world, owner, 'inside')
    const open = await givenRepo(world, owner, 'open', { visibility: 'public' })
    const { sha256 } = await givenObject(world, owner, open)
    const fence = { repos: [{ type: 'model' as const, ns: owner.username, name: 'inside' }] }
    const { actor } = await givenToken(world, owner, { fence })
    const { config } = world.deps
    const security = { ...config.security, anonymous_read: true }
    const ctx = { ...world.ctx(actor), config: { ...config, security } }
    expect(await mayUse(world.db, ctx, sha256)).toBe(false)
  })

  test('an object marked corrupt counts as absent until it is uploaded again', async () => {
    const owner = await user()
    const repo = await givenRepo(world, owner, 'a')
    const content = await givenObject(world, owner, repo)
    await world.db.write(async ({ q, t: { lfs_objects: o } }) => {
      await q.update(o).set({ corrupt_at: world.clock.now }).where(eq(o.sha256, content.sha256))
    })
    const touched = () => world.db.write((tx) => touch(tx, [content.sha256], world.clock.now))
    expect(await uses(owner, content.sha256)).toBe(false)
    expect((await touched()).size).toBe(0)
    await givenObject(world, owner, repo, content)
    expect(await uses(owner, content.sha256)).toBe(true)
    expect((await touched()).size).toBe(1)
  })

  test('a download needs a link in this very repo or an own upload to it', async () => {
    const [owner, reader] = [await user(), await user()]
    const more = { visibility: 'public' as const }
    const [repo, other] = [await givenRepo(world, owner, 'a', more), await givenRepo(world, owner, 'b', more)]
    const [linked, granted, elsewhere] = [
      await givenObject(world, owner, repo),
      await givenObject(world, owner, repo),
      await givenObject(world, owner, other),
    ]
    await givenLink(world, repo, linked)
    await givenLink(world, other, elsewhere)
    const all = [linked.sha256, granted.sha256, elsewhere.sha256]
    const found = async (actor: UserActor) => {
      const held = await findInRepo(world.db, world.ctx(actor), repo.id, all)
      return all.map((sha256) => held.has(sha256))
    }
    expect(await found(owner)).toEqual([true, true, false])
    expect(await found(reader)).toEqual([true, false, false])
  })

  test('thousands of objects are asked for in one go', async () => {
    const owner = await user()
    const { sha256 } = await givenObject(world, owner, await givenRepo(world, owner, 'a'))
    const many = Array.from({ length: 2500 }, (_, i) => i.toString(16).padStart(64, '0'))
    const found = await findUsable(world.db, world.ctx(owner), [...many, sha256, sha256])
    expect([...found.keys()]).toEqual([sha256])
  })
})
