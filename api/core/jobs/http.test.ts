import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { Problem } from '../../platform/problems/index.ts'
import { appOf, eachDatabase, givenOrg, givenRepo, givenToken, givenUser } from '../../testing.ts'
import { newId } from '../../stores/db/index.ts'
import { mountJobs } from './handlers.ts'
import { defineJob, enqueue, type EnqueueOptions } from './index.ts'
import { runJobs } from './testing.ts'
import { actorNow } from '../../rooms/auth/index.ts'

const base = '/api/service/v1'

const quick = defineJob({
  kind: 'test.quick',
  input: z.strictObject({ fail: z.boolean() }),
  maxAttempts: 2,
  unit: 'bytes',
  title: () => 'Quick',
  async run(_ctx, { fail }, job) {
    await job.progress(5, 10)
    if (fail) throw new Problem('state-conflict', { detail: 'Not now.' })
    return { key: 'inside' }
  },
  present: async (_ctx, { id }) => ({ url: `/signed/${id}` }),
})

const kinds = [quick]

eachDatabase('jobs over HTTP', (world) => {
  async function signedIn(username: string, more = {}) {
    const user = await givenUser(world, username, more)
    const { secret } = await givenToken(world, user)
    const app = appOf(world, { native: [mountJobs({ kinds, actorNow })] })
    const call = (method: string, path: string) =>
      app.request(`${base}${path}`, { method, headers: { Authorization: `Bearer ${secret}` } })
    const read = async (path: string, method = 'GET') => {
      const response = await call(method, path)
      return { status: response.status, body: (await response.json()) as Record<string, unknown> }
    }
    return { user, call, read }
  }
  const add = (
    user: Awaited<ReturnType<typeof signedIn>>['user'],
    fail = false,
    options: EnqueueOptions = {},
  ) => world.db.write((tx) => enqueue(tx, world.ctx(user), quick, { fail }, options))

  test('a job is for its creator, admins of its repo and instance admins; others find nothing', async () => {
    const [ada, eve] = [await signedIn('ada'), await signedIn('eve')]
    const [lead, admin] = [await signedIn('lead'), await signedIn('root', { isAdmin: true })]
    await givenOrg(world, 'org', lead.user, [
      [ada.user, 'write'],
      [eve.user, 'write'],
    ])
    const repo = await givenRepo(world, ada.user, { ns: 'org', name: 'r' })
    const job = await add(ada.user, false, { repoId: repo.id })
    for (const who of [ada, lead, admin]) {
      expect(await who.read(`/jobs/${job.id}`)).toMatchObject({
        status: 200,
        body: {
          kind: 'test.quick',
          status: 'queued',
          created_by: 'ada',
          repo: { type: 'model', ns: 'org', name: 'r' },
        },
      })
      expect((await who.read('/jobs?kind=test.quick')).body['items']).toHaveLength(1)
    }
    const ofRepo = async (repo: string) =>
      (await lead.read(`/jobs?kind=test.quick&repo=${repo}`)).body['items']
    expect(await ofRepo('models/ORG/R')).toMatchObject([{ id: job.id }])
    expect([await ofRepo('datasets/org/r'), await ofRepo('models/org/other')]).toEqual([[], []])
    expect((await eve.read('/jobs')).body['items']).toEqual([])
    expect((await lead.read('/jobs?mine=true')).body['items']).toEqual([])
    const paths = [
      ['GET', ''],
      ['POST', '/cancel'],
      ['POST', '/retry'],
      ['GET', '/events'],
      ['GET', '/log'],
    ] as const
    for (const [method, path] of paths) {
      const hidden = await eve.read(`/jobs/${job.id}${path}`, method)
      const absent = await eve.read(`/jobs/${newId()}${path}`, method)
      expect([hidden.status, hidden.body['code'], hidden.body['detail']]).toEqual([
        404,
        'not-found',
        absent.body['detail'],
      ])
    }
    const anonymous = appOf(world, { native: [mountJobs({ kinds, actorNow })] })
    expect((await anonymous.request(`${base}/jobs/${job.id}`)).status).toBe(401)
    await runJobs(world.deps, kinds)
  })

  test('a fenced token meets only jobs inside its fence', async () => {
    const bob = await signedIn('bob')
    const repo = await givenRepo(world, bob.user, { name: 'in' })
    const inside = await add(bob.user, false, { repoId: repo.id })
    await add(bob.user)
    const fence = { repos: [{ type: 'model' as const, ns: 'bob', name: 'in' }] }
    const { secret } = await givenToken(world, bob.user, { fence })
    const response = await appOf(world, { native: [mountJobs({ kinds, actorNow })] }).request(
      `${base}/jobs?kind=test.quick`,
      {
        headers: { Authorization: `Bearer ${secret}` },
      },
    )
    expect(await response.json()).toMatchObject({ items: [{ id: inside.id }] })
    await runJobs(world.deps, kinds)
  })

  test('what it found is shown as its kind presents it, and a failure by its Problem', async () => {
    const cid = await signedIn('cid')
    const [good, bad] = [await add(cid.user), await add(cid.user, true)]
    await runJobs(world.deps, kinds)
    expect((await cid.read(`/jobs/${good.id}`)).body).toMatchObject({
      status: 'succeeded',
      attempts: 1,
      max_attempts: 2,
      progress: { done: 5, total: 10, unit: 'bytes' },
      result: { url: `/signed/${good.id}` },
    })
    expect((await cid.read(`/jobs/${bad.id}`)).body).toMatchObject({
      status: 'failed',
      problem: { code: 'state-conflict', message: 'Not now.' },
    })
    expect((await cid.read('/jobs?status=failed')).body).toMatchObject({ items: [{ id: bad.id }] })
  })

  test('only what failed or was cancelled is retried, and not beside an equal one', async () => {
    const dan = await signedIn('dan')
    const { id } = await add(dan.user, true, { dedupKey: 'k' })
    expect(await dan.read(`/jobs/${id}/retry`, 'POST')).toMatchObject({
      status: 409,
      body: { code: 'state-conflict' },
    })
    await runJobs(world.deps, kinds)
    const equal = await add(dan.user, true, { dedupKey: 'k' })
    expect(await dan.read(`/jobs/${id}/retry`, 'POST')).toMatchObject({
      status: 409,
      body: { code: 'state-conflict' },
    })
    expect(await dan.read(`/jobs/${equal.id}/cancel`, 'POST')).toMatchObject({
      status: 200,
      body: { status: 'cancelled' },
    })
    const retried = await dan.call('POST', `/jobs/${id}/retry`)
    expect(retried.status).toBe(202)
    expect(retried.headers.get('Location')).toBe(`${base}/jobs/${id}`)
    expect(await retried.json()).toMatchObject({ status: 'queued', attempts: 1, max_attempts: 3 })
    expect((await add(dan.user, true, { dedupKey: 'k' })).id).toBe(id)
    await runJobs(world.deps, kinds)
  })

  test('one cancelled before its time is not hurried by a retry', async () => {
    const fay = await signedIn('fay')
    const runAfter = new Date(world.clock.now.getTime() + 3_600_000)
    const { id } = await add(fay.user, false, { runAfter })
    await fay.read(`/jobs/${id}/cancel`, 'POST')
    expect(await fay.read(`/jobs/${id}/retry`, 'POST')).toMatchObject({
      status: 202,
      body: { status: 'queued', run_after: runAfter.toISOString() },
    })
    await runJobs(world.deps, kinds)
    expect((await fay.read(`/jobs/${id}`)).body).toMatchObject({ status: 'queued', attempts: 0 })
    await fay.read(`/jobs/${id}/cancel`, 'POST')
  })

  test('its events tell each change until the end', async () => {
    const gus = await signedIn('gus')
    const { id } = await add(gus.user)
    const response = await gus.call('GET', `/jobs/${id}/events`)
    expect(response.headers.get('Content-Type')).toContain('text/event-stream')
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    expect((await reader?.read())?.value).toContain('"status":"queued"')
    await runJobs(world.deps, kinds)
    let rest = ''
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) rest += part.value
    expect(rest).toContain('event: job\n')
    expect(rest).toContain('"status":"succeeded"')
  })

  test('its log is read page by page, and from a line on while it grows', async () => {
    const [lea, mia] = [await signedIn('lea'), await signedIn('mia')]
    const { id } = await add(lea.user, true)
    const other = await add(lea.user)
    expect((await lea.read(`/jobs/${id}/log`)).body).toEqual({ items: [], next_cursor: '' })
    await runJobs(world.deps, kinds)
    const all = (await lea.read(`/jobs/${id}/log`)).body
    expect(all).toEqual({
      items: [
        expect.objectContaining({ number: 1, attempt: 1, at: expect.stringMatching(/Z$/) }),
        expect.objectContaining({ number: 2, text: 'Failed after 0 s (state-conflict): Not now.' }),
      ],
      next_cursor: '',
    })
    expect((await lea.read(`/jobs/${id}`)).body).toMatchObject({ log_lines: 2 })
    const [first, second] = all['items'] as unknown[]
    const page = (await lea.read(`/jobs/${id}/log?limit=1`)).body
    expect(page['items']).toEqual([first])
    const cursor = page['next_cursor'] as string
    expect((await lea.read(`/jobs/${id}/log?limit=1&cursor=${cursor}`)).body).toEqual({
      items: [second],
      next_cursor: '',
    })
    expect((await lea.read(`/jobs/${id}/log?after=1`)).body['items']).toEqual([second])
    expect((await lea.read(`/jobs/${id}/log?after=2`)).body['items']).toEqual([])
    expect(await lea.read(`/jobs/${other.id}/log?cursor=${cursor}`)).toMatchObject({
      status: 400,
      body: { code: 'invalid-cursor' },
    })
    for (const bad of ['after=-1', 'after=', 'after=1.5', 'limit=501'])
      expect(await lea.read(`/jobs/${id}/log?${bad}`)).toMatchObject({
        body: { code: 'validation-failed' },
      })
    expect(await mia.read(`/jobs/${id}/log?cursor=${cursor}`)).toMatchObject({
      status: 404,
      body: { code: 'not-found' },
    })
  })

  test('its events end when the caller is put out', async () => {
    const kim = await signedIn('kim')
    const { id } = await add(kim.user)
    const response = await kim.call('GET', `/jobs/${id}/events`)
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    expect((await reader?.read())?.value).toContain('"status":"queued"')
    await world.db.write(async ({ q, t }) => {
      await q.update(t.users).set({ disabled: true }).where(eq(t.users.id, kim.user.id))
    })
    expect((await reader?.read())?.done).toBe(true)
    await runJobs(world.deps, kinds)
  })

  test('pages go from the newest to the oldest, and a foreign cursor is refused', async () => {
    const [hal, ida] = [await signedIn('hal'), await signedIn('ida')]
    const ids = []
    for (let i = 0; i < 3; i++) ids.unshift((await add(hal.user)).id)
    const first = (await hal.read('/jobs?limit=2')).body as { items: { id: string }[]; next_cursor: string }
    const second = (await hal.read(`/jobs?limit=2&cursor=${first.next_cursor}`)).body as typeof first
    expect([...first.items, ...second.items].map((job) => job.id)).toEqual(ids)
    expect(second.next_cursor).toBe('')
    for (const answer of [
      await ida.read(`/jobs?limit=2&cursor=${first.next_cursor}`),
      await hal.read(`/jobs?mine=true&cursor=${first.next_cursor}`),
    ])
      expect(answer).toMatchObject({ status: 400, body: { code: 'invalid-cursor' } })
    await runJobs(world.deps, kinds)
  })
})
