import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import type { UserActor } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { cancelJob } from '../../../core/jobs/cancel.ts'
import { codeOf, pass, storedKeys } from '../../../core/lfs/testing.ts'
import { collect } from '../../../stores/storage/index.ts'
import { eachDatabase, givenUser } from '../../../testing.ts'
import { openFileAt, openRevision } from '../../content/index.ts'
import { requireRepo } from '../../repos/index.ts'
import { createPull } from '../pull/create-pull.ts'
import { pull } from '../pull/pull-job.ts'
import { findMirror } from '../queries.ts'
import { givenHub, siteOf } from '../testing/site.ts'
import { pullThroughOf } from './pull-through.ts'

const MiB = 2 ** 20

eachDatabase('pull-through from several upstreams', (world) => {
  const hub = givenHub(world)
  const other = givenHub(world)
  let person: UserActor
  const site = siteOf(world, hub)
  beforeAll(async () => {
    person = await givenUser(world, 'reader')
  })

  interface Places {
    /** The hub by the id of the public one; else as `hub`. */
    isPublic?: boolean
    prefix?: string
    otherEnabled?: boolean
  }
  /** A caller's request on a server with two upstreams: `hub`, and `another`, which is before it by id. */
  const request = ({ isPublic = false, prefix = '', otherEnabled = true }: Places = {}): Ctx => {
    const ctx = site.ctx(person, { pull_through: { enabled: true, allow: ['*'], min_role: 'user' } })
    const given = { enabled: true, token: '', namespace_prefix: '', viewer_url: '' }
    const upstreams = {
      [isPublic ? 'huggingface' : 'hub']: { ...given, base_url: hub.url },
      another: { ...given, base_url: other.url, namespace_prefix: prefix, enabled: otherEnabled },
    }
    const own = { ...ctx, config: { ...ctx.config, upstreams } }
    return { ...own, pullThrough: pullThroughOf(own, () => {}) }
  }
  const at = (name: string) => {
    const [ns = '', repo = ''] = name.split('/')
    return { type: 'model' as const, ns, name: repo }
  }
  const info = (name: string, places?: Places) => requireRepo(request(places), at(name), 'repo.read')
  const open = async (name: string, path: string, ctx = request()) => {
    const repo = await requireRepo(ctx, at(name), 'repo.read')
    return openFileAt(ctx, repo, await openRevision(ctx, repo.id, 'main'), path)
  }
  const upstreamOf = async (repo: { id: string }) => (await findMirror(world.db, repo.id))?.upstream
  const until = async (what: () => Promise<boolean>) => {
    while (!(await what())) await pause(20)
  }
  const readme = (text: string) => ({ 'README.md': `# ${text}\n` })

  test('they are asked by id, and the public hub before all others', async () => {
    for (const name of ['both/by-id', 'both/public-first']) {
      await hub.commit(name, readme('hub'))
      await other.commit(name, readme('another'))
    }
    await hub.commit('both-hub/only', readme('hub'))
    expect(await upstreamOf(await info('both/by-id'))).toBe('another')
    expect(await upstreamOf(await info('both-hub/only'))).toBe('hub')
    await hub.commit('both-public/first', readme('hub'))
    await other.commit('both-public/first', readme('another'))
    expect(await upstreamOf(await info('both-public/first', { isPublic: true }))).toBe('huggingface')
    const before = other.asked.length
    await hub.commit('off/one', readme('hub'))
    expect(await upstreamOf(await info('off/one', { otherEnabled: false }))).toBe('hub')
    expect(other.asked.length).toBe(before)
  })

  test('the prefix of a namespace names one upstream alone, which is asked without it', async () => {
    const places = { prefix: 'near-' }
    const head = await other.commit('team/one', readme('another'))
    await hub.commit('near-team/two', readme('hub'))
    await hub.commit('team/one', readme('hub'))
    const repo = await info('near-team/one', places)
    expect(repo).toMatchObject({ headCommit: head, ns: 'near-team' })
    expect(await upstreamOf(repo)).toBe('another')
    // What has the prefix is not looked for elsewhere, and what has not is not looked for there.
    expect(await codeOf(info('near-team/two', places))).toBe('repo-not-found')
    const before = other.asked.length
    expect(await upstreamOf(await info('team/one', places))).toBe('hub')
    expect(other.asked.length).toBe(before)
    // A pull goes to the same place.
    await other.commit('crew/three', readme('another'))
    const ctx = request(places)
    const { id } = await createPull(ctx, { ...site.wish('crew/three'), upstream: 'another' })
    expect((await site.run(ctx, id)).status).toBe('succeeded')
    expect(await upstreamOf(await info('near-crew/three', places))).toBe('another')
  })

  test('a namespace holds mirrors of one upstream: those of another need a place of their own', async () => {
    await hub.commit('taken/one', readme('hub'))
    await other.commit('taken/two', readme('another'))
    expect(await upstreamOf(await info('taken/one'))).toBe('hub')
    expect(await codeOf(info('taken/two'))).toBe('repo-not-found')
    const wish = { ...site.wish('taken/two'), upstream: 'another' }
    await expect(createPull(request(), wish)).rejects.toMatchObject({
      code: 'name-taken',
      detail: expect.stringContaining('holds mirrors of another upstream, hub'),
    })
    const { id } = await createPull(request(), { ...wish, target_ns: 'reader' })
    expect((await site.run(request(), id)).status).toBe('succeeded')
    expect(await upstreamOf(await info('reader/two'))).toBe('another')
  })

  test('a hub without ranges sends the whole file once, also to readers that begin inside', async () => {
    const bytes = randomBytes(40 * MiB)
    await hub.commit('plain/no-ranges', readme('hub'), { large: { 'a.bin': bytes } })
    hub.cdnMisbehave = (_, response) => {
      response.writeHead(200, { 'Content-Length': bytes.length }).end(bytes)
      return true
    }
    const before = hub.cdnAsked.length
    const offsets = [0, 30 * MiB, 39 * MiB]
    const whole = { length: bytes.length }
    const got = await Promise.all(
      offsets.map(async (offset) => {
        const file = await open('plain/no-ranges', 'a.bin')
        return collect(await file.open({ offset, length: whole.length - offset }), 2 ** 30)
      }),
    )
    for (const [i, offset] of offsets.entries())
      expect(got[i]?.equals(bytes.subarray(offset)), String(offset)).toBe(true)
    // Each reader far ahead asks for its range once, and is closed when the whole file is sent instead.
    expect(hub.cdnAsked.slice(before).filter(({ headers }) => headers.range === undefined)).toHaveLength(1)
    await until(async () => (await storedKeys(world, 'transfers/')).length === 0)
    const later = hub.cdnAsked.length
    expect(
      (await collect(await (await open('plain/no-ranges', 'a.bin')).open(), 2 ** 30)).equals(bytes),
    ).toBe(true)
    expect(hub.cdnAsked.length).toBe(later)
  })

  /** A transfer of 40 MiB whose only reader leaves after 15, so that a job takes it over. */
  async function givenLeft(name: string) {
    const bytes = randomBytes(40 * MiB)
    await hub.commit(name, readme('hub'), { large: { 'a.bin': bytes } })
    hub.cdnMisbehave = ({ headers }, response) => {
      if (headers.range !== undefined) return false
      response.writeHead(200, { 'Content-Length': bytes.length })
      response.write(bytes.subarray(0, 15 * MiB))
      return true
    }
    const chunks = (await (await open(name, 'a.bin')).open())[Symbol.asyncIterator]()
    for (let got = 0; got < 15 * MiB;) got += (await chunks.next()).value?.length ?? 0
    await chunks.return?.()
    const { id: repoId } = await info(name)
    const { q, t } = world.db
    const jobs = () => q.select().from(t.jobs).where(eq(t.jobs.repo_id, repoId))
    const waiting = async () =>
      (await jobs()).find(({ kind, status }) => kind === 'pull' && status === 'queued')
    await until(async () => (await waiting()) !== undefined)
    return { bytes, job: (await waiting()) ?? expect.fail('no job') }
  }

  test('the job that goes on without readers is cancelled by its reader, and keeps what has come', async () => {
    const { bytes, job } = await givenLeft('left/cancelled')
    const kept = (await storedKeys(world, 'transfers/')).length
    expect(kept).toBeGreaterThan(0)
    await cancelJob(request(), job.id)
    const { q, t } = world.db
    const [row] = await q.select().from(t.jobs).where(eq(t.jobs.id, job.id))
    expect(row?.status).toBe('cancelled')
    expect(await storedKeys(world, 'transfers/')).toHaveLength(kept)
    const before = hub.cdnAsked.length
    hub.cdnMisbehave = undefined
    expect((await collect(await (await open('left/cancelled', 'a.bin')).open(), 2 ** 30)).equals(bytes)).toBe(
      true,
    )
    // The next reader goes on behind what has come.
    const froms = hub.cdnAsked.slice(before).map(({ headers }) => headers.range)
    expect(froms.every((range) => range !== undefined && !range.startsWith('bytes=0-'))).toBe(true)
  })

  test('outside the windows a job rests, but for the file that a reader waits for', async () => {
    const { bytes, job } = await givenLeft('left/nightly')
    hub.cdnMisbehave = undefined
    pass(world, 1000)
    const hour = (n: number) => String((world.clock.now.getUTCHours() + n) % 24).padStart(2, '0')
    const ctx = request()
    const closed = {
      ...ctx,
      config: { ...ctx.config, pull: { ...ctx.config.pull, windows: [`${hour(2)}:00-${hour(3)}:00`] } },
    }
    const before = hub.cdnAsked.length
    const running = site.run(closed, job.id)
    const { q, t } = world.db
    const note = async () =>
      (await q.select().from(t.pulls).where(eq(t.pulls.job_id, job.id)))[0]?.note ?? undefined
    await until(async () => (await note()) !== undefined)
    expect(hub.cdnAsked.length).toBe(before)
    const reading = { ...closed, pullThrough: pullThroughOf(closed, () => {}) }
    const got = await collect(await (await open('left/nightly', 'a.bin', reading)).open(), 2 ** 30)
    expect(got.equals(bytes)).toBe(true)
    expect((await running).status).toBe('succeeded')
    expect(pull.kind).toBe(job.kind)
  })
})
