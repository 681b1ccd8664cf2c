import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import type { UserActor } from '../../core/access/index.ts'
import { add, givenCommit } from '../content/testing.ts'
import { Execution } from '../../core/jobs/execution.ts'
import { claimOne, type JobRow } from '../../core/jobs/queries.ts'
import { before, eachDatabase, givenOrg, givenRepo, givenUser, hold } from '../../testing.ts'
import { testWebhook } from './redeliver.ts'
import { updateWebhook } from './settings.ts'
import { webhookDeliver } from './deliver.ts'
import { drop } from './outcome.ts'
import { deliverDue, deliveriesOf, givenWebhook, useReceiver } from './testing.ts'

eachDatabase('a delivery between two looks', (world) => {
  const receiver = useReceiver(world)
  const kind = webhookDeliver()
  let owner: UserActor
  beforeAll(async () => {
    owner = await givenUser(world, 'ada')
  })

  async function claim(): Promise<JobRow> {
    const { engine } = world.db
    const wanted = { engine, kinds: [kind], worker: 'w', now: world.clock.now, leaseMs: 60_000 }
    return (await world.db.write((tx) => claimOne(tx, wanted))) ?? expect.fail('no job')
  }
  const attempt = (job: JobRow, deps = world.deps) =>
    new Execution(deps, kind, job, async () => world.clock.now).run()
  const requeue = ({ id }: JobRow) =>
    world.db.write(({ q, t: { jobs } }) => q.update(jobs).set({ status: 'queued' }).where(eq(jobs.id, id)))

  async function given() {
    // What earlier tests left in the queue is not to be claimed here.
    await world.db.write(({ q, t: { jobs } }) => q.delete(jobs))
    const repo = await givenRepo(world, owner)
    const { webhook } = await givenWebhook(world, owner, { url: receiver.url, watched: [{ repo }] })
    await givenCommit(world, owner, repo, [add('a')])
    return { webhook, job: await claim() }
  }

  test.each([
    [200, { status: 'succeeded', attempts: 1 }],
    [500, { status: 'retrying', attempts: 1 }],
  ])(
    'that was answered %i is not sent again by the same attempt, whose worker then died',
    async (status, is) => {
      receiver.reply = () => ({ status })
      const { webhook, job } = await given()
      const dying = await hold(world.deps, before('write', { nth: 3 }), (deps) => attempt(job, deps))
      expect(await deliveriesOf(world, webhook)).toMatchObject([is])
      await requeue(job)
      await attempt(await claim())
      expect(receiver.received).toHaveLength(1)
      await dying.resume()
      expect(await deliveriesOf(world, webhook)).toMatchObject([is])
    },
  )

  test('that is sent a second time is not sent by the first attempt, whose worker then died', async () => {
    const { webhook, job } = await given()
    receiver.reply = () => ({ status: 500 })
    const dying = await hold(world.deps, before('write', { nth: 3 }), (deps) => attempt(job, deps))
    world.clock.now = new Date(world.clock.now.getTime() + 31_000)
    const next = await claim()
    const sending = await hold(world.deps, before('write', { nth: 2 }), (deps) => attempt(next, deps))
    expect(await deliveriesOf(world, webhook)).toMatchObject([{ status: 'delivering', attempts: 2 }])
    await requeue(job)
    await attempt(await claim())
    expect(receiver.received).toHaveLength(2)
    await sending.resume()
    await dying.resume()
    expect(await deliveriesOf(world, webhook)).toMatchObject([{ status: 'retrying', attempts: 2 }])
  })

  test('that arrived counts as such, though its webhook is off before another worker looks', async () => {
    const { webhook, job } = await given()
    const dying = await hold(world.deps, before('write', { nth: 3 }), (deps) => attempt(job, deps))
    await updateWebhook(world.ctx(owner), webhook.id, { active: false })
    await requeue(job)
    await attempt(await claim())
    await dying.resume()
    expect(receiver.received).toHaveLength(1)
    expect(await deliveriesOf(world, webhook)).toMatchObject([{ status: 'succeeded', error: null }])
  })

  test('that another worker has taken over is not sent by the first, which was frozen', async () => {
    const { webhook, job } = await given()
    const frozen = await hold(world.deps, before('write'), (deps) => attempt(job, deps))
    await requeue(job)
    await attempt(await claim())
    await frozen.resume()
    expect(receiver.received).toHaveLength(1)
    expect(await deliveriesOf(world, webhook)).toMatchObject([{ status: 'succeeded', attempts: 1 }])
  })

  test('of a test goes out only as long as who made the webhook administers what it watches', async () => {
    const bob = await givenUser(world, 'bob')
    const org = await givenOrg(world, 'acme', owner, [[bob, 'admin']])
    const watched = [{ ns: org.name }]
    const { webhook } = await givenWebhook(world, bob, { url: receiver.url, watched })
    await testWebhook(world.ctx(bob), webhook.id)
    await deliverDue(world)
    expect(receiver.received).toHaveLength(1)
    await testWebhook(world.ctx(bob), webhook.id)
    const { members } = world.db.t
    await world.db.write(({ q }) =>
      q.update(members).set({ role: 'write' }).where(eq(members.user_id, bob.id)),
    )
    await deliverDue(world)
    expect(receiver.received).toHaveLength(1)
    const dropped = { status: 'failed', attempts: 0, error: expect.stringContaining('no longer administers') }
    expect((await deliveriesOf(world, webhook))[0]).toMatchObject(dropped)
  })

  test('that was dropped meanwhile is not sent by a worker that looked before', async () => {
    const { webhook, job } = await given()
    const late = await hold(world.deps, before('write'), (deps) => attempt(job, deps))
    const [delivery] = await deliveriesOf(world, webhook)
    await world.db.write((tx) => drop(tx, delivery?.id ?? '', 'The webhook is switched off.'))
    await late.resume()
    expect(receiver.received).toEqual([])
    expect(await deliveriesOf(world, webhook)).toMatchObject([{ status: 'failed', attempts: 0 }])
  })

  test('whose webhook is switched off after it was queued is dropped', async () => {
    const { webhook, job } = await given()
    await updateWebhook(world.ctx(owner), webhook.id, { active: false })
    await attempt(job)
    expect(receiver.received).toEqual([])
    expect(await deliveriesOf(world, webhook)).toMatchObject([{ status: 'failed', attempts: 0 }])
  })
})
