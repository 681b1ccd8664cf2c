import { randomBytes } from 'node:crypto'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { UserActor } from '../../core/access/index.ts'
import { codeOf } from '../../core/lfs/testing.ts'
import { eachDatabase, givenUser } from '../../testing.ts'
import { openRevision } from '../content/index.ts'
import { requireRepo } from '../repos/index.ts'
import { getMirror, syncNow } from './settings/mirror.ts'
import { listProvenance } from './settings/provenance.ts'
import { pullThroughOf } from './through/pull-through.ts'
import { givenHub, siteOf } from './testing/site.ts'

eachDatabase('mirrors of an upstream without git', (world) => {
  const hub = givenHub(world)
  let person: UserActor
  let admin: UserActor
  const site = siteOf(world, hub)
  beforeAll(async () => {
    person = await givenUser(world, 'puller')
    admin = await givenUser(world, 'mirror-admin', { isAdmin: true })
  })
  beforeEach(() => {
    hub.hasGit = false
  })

  const address = (name: string) => ({ type: 'model', ns: 'acme', name }) as const
  const opened = async (name: string, revision?: string) => {
    const repo = await requireRepo(site.ctx(person), address(name), 'repo.read')
    return openRevision(site.ctx(person), repo.id, revision)
  }
  const synced = async (name: string) =>
    site.run(site.ctx(), (await syncNow(site.ctx(admin), address(name))).id)
  const files = { 'README.md': '# Model\n', 'config.json': '{}', 'a/b/c.txt': 'deep\n' }

  test('its files come with checked ids, in a commit of the same author and date, under the upstream’s id', async () => {
    const bytes = randomBytes(30_000)
    hub.pageEntries = 2
    const sha = await hub.commit('acme/plain', files, { large: { 'a/model.bin': bytes } })
    const job = await site.pulled(site.ctx(person), site.wish('acme/plain'))
    hub.pageEntries = 1000
    expect(job).toMatchObject({ status: 'succeeded', result: { commit: sha, files: 1 } })
    const head = await opened('plain')
    const named = await opened('plain', sha)
    expect(named.commit).toBe(head.commit)
    expect(head.commit).not.toBe(sha)
    expect(head.snapshot.upstreamCommit(head.commit)).toBe(sha)
    const made = await head.snapshot.findCommit(head.commit)
    expect(made?.tree).toBe(await hub.git('acme/plain', 'rev-parse', `${sha}^{tree}`))
    expect(made?.author.name).toBe(await hub.git('acme/plain', 'log', '-1', '--format=%an', sha))
    expect(made?.author.at.getTime()).toBe(
      Number(await hub.git('acme/plain', 'log', '-1', '--format=%at', sha)) * 1000,
    )
    expect(made?.subject).toBe('change')
    expect((await site.read(site.ctx(person), 'acme/plain', 'a/model.bin', sha)).equals(bytes)).toBe(true)
    const mirror = await getMirror(site.ctx(person), address('plain'))
    expect(mirror.row).toMatchObject({ fidelity: 'snapshot', upstream_commit: sha, local_commit: sha })
    expect(mirror.localCommit).toBe(head.commit)
    const [came] = await listProvenance(site.ctx(person), address('plain'), {})
    expect(came).toMatchObject({ path: 'a/model.bin', commit: sha, verified: 'sha256' })
  })

  test('a sync follows: one commit on the other, and each is found by the upstream’s id', async () => {
    const first = await hub.commit('acme/moving', files)
    await site.pulled(site.ctx(person), site.wish('acme/moving'))
    const second = await hub.commit('acme/moving', { 'more.txt': 'x', 'config.json': '{"a":1}' })
    expect((await synced('moving')).status).toBe('succeeded')
    const [old, now] = [await opened('moving', first), await opened('moving')]
    expect((await now.snapshot.findCommit(now.commit))?.parents).toEqual([old.commit])
    expect(now.snapshot.upstreamCommit(now.commit)).toBe(second)
    expect((await site.read(site.ctx(person), 'acme/moving', 'config.json', first)).toString()).toBe('{}')
    expect((await synced('moving')).status).toBe('succeeded')
    expect((await opened('moving')).commit).toBe(now.commit)
  })

  test('a small file that is not what the list says is refused, and nothing shows', async () => {
    await hub.commit('acme/wrong', files)
    hub.misbehave = ({ url }, response) => {
      if (!url?.endsWith('config.json')) return false
      response.writeHead(200, { 'Content-Length': 2 }).end('[]')
      return true
    }
    const job = await site.pulled(site.ctx(person), site.wish('acme/wrong'))
    expect(job).toMatchObject({ problem: { code: 'upstream-unavailable' } })
    expect(job.problem?.message).toMatch(/config\.json.*[0-9a-f]{40}.*[0-9a-f]{40}/)
    expect(await codeOf(requireRepo(site.ctx(person), address('wrong'), 'repo.read'))).toBe('repo-not-found')
  })

  test('an upstream whose git fails for a while is not taken for one without', async () => {
    await hub.commit('acme/failing', files)
    hub.misbehave = ({ url }, response) => {
      if (!url?.includes('info/refs')) return false
      response.writeHead(503).end()
      return true
    }
    expect((await site.pulled(site.ctx(person), site.wish('acme/failing'))).status).not.toBe('succeeded')
    expect(await codeOf(requireRepo(site.ctx(person), address('failing'), 'repo.read'))).toBe(
      'repo-not-found',
    )
  })

  test('git that appears later gives the mirror the upstream’s own commits; git that goes away takes them from none', async () => {
    const first = await hub.commit('acme/later', files)
    await site.pulled(site.ctx(person), site.wish('acme/later'))
    const second = await hub.commit('acme/later', { 'more.txt': 'x' })
    hub.hasGit = true
    expect((await synced('later')).status).toBe('succeeded')
    expect((await opened('later')).commit).toBe(second)
    expect((await getMirror(site.ctx(person), address('later'))).row.fidelity).toBe('git')
    expect((await site.read(site.ctx(person), 'acme/later', 'config.json', first)).toString()).toBe('{}')
    hub.hasGit = false
    await hub.commit('acme/later', { 'third.txt': 'y' })
    expect(await synced('later')).toMatchObject({ problem: { code: 'upstream-unavailable' } })
    expect((await opened('later')).commit).toBe(second)
  })

  test('the same head by git takes the place of the commit that was made here', async () => {
    const sha = await hub.commit('acme/same', files)
    await site.pulled(site.ctx(person), site.wish('acme/same'))
    hub.hasGit = true
    expect((await synced('same')).status).toBe('succeeded')
    expect((await opened('same')).commit).toBe(sha)
    expect((await opened('same', sha)).commit).toBe(sha)
  })

  test('branches, tags and the wish for the whole history are answered as far as they can be', async () => {
    const first = await hub.commit('acme/named', files)
    await hub.git('acme/named', 'tag', 'v1', first)
    await hub.commit('acme/named', { 'more.txt': 'x' })
    const job = await site.pulled(site.ctx(person), site.wish('acme/named', { history: 'full' }))
    expect(job).toMatchObject({
      status: 'succeeded',
      result: { warnings: [expect.stringMatching(/no git/)] },
    })
    expect((await site.pulled(site.ctx(person), site.wish('acme/named', { revision: 'v1' }))).status).toBe(
      'succeeded',
    )
    const tag = await opened('named', 'v1')
    expect(tag.ref).toBe('refs/tags/v1')
    expect(tag.snapshot.upstreamCommit(tag.commit)).toBe(first)
  })

  test('reads pull it through, and its large files by the upstream’s commit', async () => {
    const bytes = randomBytes(20_000)
    const sha = await hub.commit('acme/through', files, { large: { 'model.bin': bytes } })
    const on = { pull_through: { enabled: true, allow: ['*'], min_role: 'user' } }
    const ctx = site.ctx(person, on)
    const reading = { ...ctx, pullThrough: pullThroughOf(ctx, () => undefined) }
    expect((await site.read(reading, 'acme/through', 'model.bin', sha)).equals(bytes)).toBe(true)
    expect(hub.asked.some(({ url }) => url.includes(`/resolve/${sha}/model.bin`))).toBe(true)
  })
})
