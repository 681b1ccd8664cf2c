import { randomBytes } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import type { UserActor } from '../../../core/access/index.ts'
import { pass } from '../../../core/lfs/testing.ts'
import { eachDatabase, givenUser } from '../../../testing.ts'
import { listCommits } from '../../content/index.ts'
import { commitView } from '../../content/view.ts'
import { givenHub, siteOf } from '../testing/site.ts'
import { viewMirror } from '../view.ts'
import { getMirror, syncNow, updateMirror } from './mirror.ts'

eachDatabase('how far a mirror is from its upstream', (world) => {
  const hub = givenHub(world)
  let person: UserActor
  let admin: UserActor
  const site = siteOf(world, hub)
  beforeAll(async () => {
    person = await givenUser(world, 'puller')
    admin = await givenUser(world, 'distance-admin', { isAdmin: true })
  })

  const readme = { 'README.md': '# Model\n' }
  const address = (name: string) => ({ type: 'model', ns: 'acme', name }) as const
  const seen = async (name: string) => viewMirror(await getMirror(site.ctx(person), address(name)))
  const synced = async (name: string) =>
    site.run(site.ctx(), (await syncNow(site.ctx(admin), address(name))).id)

  test('a pinned one says by how many commits it is behind, over the pages of the list', async () => {
    const first = await hub.commit('acme/pinned', readme)
    await site.pulled(site.ctx(person), site.wish('acme/pinned', { tracking: 'pinned' }))
    expect(await seen('pinned')).toMatchObject({ behind: false })
    expect(await seen('pinned')).not.toHaveProperty('behind_by')
    for (let i = 0; i < 60; i++) await hub.commit('acme/pinned', { 'n.txt': String(i) })
    const job = await synced('pinned')
    expect(job).toMatchObject({ status: 'succeeded', result: { commit: first } })
    expect(await seen('pinned')).toMatchObject({ behind: true, behind_by: 60, local_commit: first })
    // Commits do not change, so it need not be asked again.
    const before = hub.asked.length
    hub.misbehave = () => true
    expect((await seen('pinned')).behind_by).toBe(60)
    expect(hub.asked.length).toBe(before)
  })

  test('a former head that the upstream no longer leads to is marked, others are not', async () => {
    const first = await hub.commit('acme/rewritten', readme)
    const pulled = await site.pulled(site.ctx(person), site.wish('acme/rewritten'))
    pass(world, 60_000)
    const second = await hub.commit('acme/rewritten', { 'a.txt': 'a' })
    const sync = await synced('rewritten')
    pass(world, 60_000)
    await hub.git('acme/rewritten', 'update-ref', 'refs/heads/main', first)
    const third = await hub.commit('acme/rewritten', { 'b.txt': 'b' })
    await synced('rewritten')
    const mirror = await seen('rewritten')
    expect(mirror.local_commit).toBe(third)
    expect(mirror.previous).toEqual([
      { commit: second, synced_at: expect.any(String), job: sync.id, rewritten: true },
      { commit: first, synced_at: expect.any(String), job: pulled.id },
    ])
  })

  test('an upstream that does not answer leaves it unsaid, and keeps no reader', async () => {
    await hub.commit('acme/silent', readme, { large: { 'a.bin': randomBytes(400) } })
    await site.pulled(site.ctx(person), site.wish('acme/silent'))
    await updateMirror(site.ctx(admin), address('silent'), { tracking: 'pinned' })
    await hub.commit('acme/silent', { 'a.txt': 'a' })
    await synced('silent')
    hub.misbehave = () => true
    const mirror = await seen('silent')
    expect(mirror.behind).toBe(true)
    expect(mirror).not.toHaveProperty('behind_by')
  })

  test('the oldest commit that came says that earlier history is at the upstream', async () => {
    await hub.commit('acme/cut', readme)
    const second = await hub.commit('acme/cut', { 'a.txt': 'a' })
    await site.pulled(site.ctx(person), site.wish('acme/cut'))
    pass(world, 60_000)
    const third = await hub.commit('acme/cut', { 'b.txt': 'b' })
    await synced('cut')
    const listed = async (name: string) => {
      const { commits, boundary } = await listCommits(site.ctx(person), address(name), { limit: 10 })
      const shown = { usernames: new Map<string, string>() } as Parameters<typeof commitView>[1]
      return commits.map((record) => {
        const { sha, is_boundary } = commitView(record, shown, boundary)
        return [sha, is_boundary]
      })
    }
    expect(await listed('cut')).toEqual([
      [third, undefined],
      [second, true],
    ])
    await hub.commit('acme/whole', readme)
    const head = await hub.commit('acme/whole', { 'a.txt': 'a' })
    await site.pulled(site.ctx(person), site.wish('acme/whole', { history: 'full' }))
    expect((await listed('whole')).map(([sha, isCut]) => [sha === head, isCut])).toEqual([
      [true, undefined],
      [false, undefined],
    ])
  })
})
