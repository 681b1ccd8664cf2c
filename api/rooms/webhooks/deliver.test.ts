import { eq } from 'drizzle-orm'
import { Webhook as Verifier } from 'standardwebhooks'
import { beforeAll, describe, expect, test } from 'vitest'
import type { UserActor } from '../../core/access/index.ts'
import { add, givenCommit } from '../content/testing.ts'
import { Execution } from '../../core/jobs/execution.ts'
import { claimOne } from '../../core/jobs/queries.ts'
import { pass, sweepRun } from '../../core/lfs/testing.ts'
import type { Lookup } from '../../platform/net/index.ts'
import type { Repo } from '../repos/index.ts'
import { eachDatabase, givenOrg, givenRepo, givenUser } from '../../testing.ts'
import { redeliver, testWebhook } from './redeliver.ts'
import { updateWebhook } from './settings.ts'
import { webhookDeliver } from './deliver.ts'
import { findWebhook } from './queries.ts'
import { oldDeliveries } from './old-deliveries.ts'
import { deliverDue, deliveriesOf, givenWebhook, useReceiver, type Received } from './testing.ts'

const seconds = 1000
const hours = 3_600_000

eachDatabase('deliveries', (world) => {
  const receiver = useReceiver(world)
  const elsewhere = useReceiver(world, '127.0.0.2')
  let owner: UserActor
  let n = 0
  beforeAll(async () => {
    owner = await givenUser(world, 'ada')
  })

  /** A repo with a webhook of its own, so that tests do not meet each other's. */
  async function givenWatched(more: Parameters<typeof givenWebhook>[2] = { url: receiver.url }) {
    const repo = await givenRepo(world, owner)
    const made = await givenWebhook(world, owner, { watched: [{ repo }], ...more })
    return { repo, ...made }
  }
  const change = (repo: Repo, by = owner) => givenCommit(world, by, repo, [add(`file-${n++}`)])
  const read = async (id: string) => (await findWebhook(world.db, id)) ?? expect.fail('no webhook')
  const verified = (secret: string, { body, headers }: Received) =>
    new Verifier(secret).verify(body, headers as Record<string, string>)

  test('are signed as Standard Webhooks say, and tell what moved', async () => {
    const before = world.clock.now
    world.clock.now = new Date()
    const { repo, webhook, secret } = await givenWatched()
    const { commit } = await change(repo)
    await deliverDue(world)
    const [message] = receiver.received
    if (!message) throw new Error('nothing arrived')
    expect(verified(secret, message)).toMatchObject({
      event: { action: 'update', scope: 'repo.content' },
      repo: { type: 'model', name: `ada/${repo.name}`, private: true, headSha: commit },
      updatedRefs: [{ ref: 'refs/heads/main', oldSha: repo.headCommit, newSha: commit }],
      webhook: { version: 3 },
    })
    expect(() => verified(secret, { ...message, body: `${message.body} ` })).toThrow()
    const [delivery] = await deliveriesOf(world, webhook)
    expect(delivery).toMatchObject({
      id: message.headers['webhook-id'],
      status: 'succeeded',
      attempts: 1,
      request: { body: message.body },
      response: { status: 200 },
      error: null,
    })
    expect(message.headers).not.toHaveProperty('x-webhook-secret')
    world.clock.now = before
  })

  test('carry the secret itself only where that was asked for, and never show it', async () => {
    const { repo, webhook } = await givenWatched({
      url: receiver.url,
      secret: 'open sesame',
      secretHeader: true,
    })
    await change(repo)
    await deliverDue(world)
    expect(receiver.received[0]?.headers).toMatchObject({ 'x-webhook-secret': 'open sesame' })
    const rows = JSON.stringify([await deliveriesOf(world, webhook), await read(webhook.id)])
    expect(rows).not.toContain('open sesame')
  })

  test('are not signed without a secret', async () => {
    const { repo } = await givenWatched({ url: receiver.url, secret: '' })
    await change(repo)
    await deliverDue(world)
    expect(receiver.received[0]?.headers).not.toHaveProperty('webhook-signature')
  })

  test('that fail are tried again after 30 s, 2 min, 10 min, 1 h, 6 h and 24 h, as the same message', async () => {
    const { repo, webhook } = await givenWatched()
    receiver.reply = () => ({ status: 500, body: 'no' })
    await change(repo)
    const waits = [30 * seconds, 120 * seconds, 600 * seconds, hours, 6 * hours, 24 * hours]
    for (const [i, wait] of waits.entries()) {
      await deliverDue(world)
      const [delivery] = await deliveriesOf(world, webhook)
      expect(delivery).toMatchObject({
        status: 'retrying',
        attempts: i + 1,
        response: { status: 500, body: 'no' },
      })
      expect(delivery?.next_attempt_at?.getTime()).toBe(world.clock.now.getTime() + wait)
      pass(world, wait - 1)
      await deliverDue(world)
      expect(receiver.received).toHaveLength(i + 1)
      pass(world, 1)
    }
    await deliverDue(world)
    expect((await deliveriesOf(world, webhook))[0]).toMatchObject({
      status: 'failed',
      attempts: 7,
      next_attempt_at: null,
      error: 'The answer was 500, not 2xx.',
    })
    expect(receiver.received).toHaveLength(7)
    const same = ({ headers, body }: Received) => JSON.stringify([headers['webhook-id'], body])
    expect(new Set(receiver.received.map(same)).size).toBe(1)
    pass(world, 48 * hours)
    await deliverDue(world)
    expect(receiver.received).toHaveLength(7)
  })

  test('that do nothing but fail for three days switch the webhook off; a success in between restarts the count', async () => {
    const { repo, webhook } = await givenWatched()
    receiver.reply = () => ({ status: 503 })
    await change(repo)
    await deliverDue(world)
    pass(world, 71 * hours)
    receiver.reply = () => ({ status: 204 })
    await deliverDue(world)
    expect(await read(webhook.id)).toMatchObject({ active: true, failing_since: null })
    receiver.reply = () => ({ status: 503 })
    await change(repo)
    await deliverDue(world)
    const since = world.clock.now
    pass(world, 72 * hours - 1)
    await deliverDue(world)
    expect(await read(webhook.id)).toMatchObject({ active: true, failing_since: since })
    await change(repo)
    pass(world, 1)
    await deliverDue(world)
    expect(await read(webhook.id)).toMatchObject({ active: false })
    const sent = receiver.received.length
    await change(repo)
    pass(world, 48 * hours)
    await deliverDue(world)
    expect(receiver.received).toHaveLength(sent)
    expect((await deliveriesOf(world, webhook)).map(({ status }) => status)).not.toContain('retrying')
    expect(await updateWebhook(world.ctx(owner), webhook.id, { active: true })).toMatchObject({
      failing_since: null,
    })
  })

  test('are dropped when the maker of the webhook no longer administers the repo', async () => {
    const bob = await givenUser(world, `bob${n++}`)
    const org = await givenOrg(world, `org${n++}`, owner, [[bob, 'admin']])
    const repo = await givenRepo(world, owner, { ns: org.name })
    const { webhook } = await givenWebhook(world, bob, { url: receiver.url, watched: [{ repo }] })
    await change(repo)
    const { members } = world.db.t
    await world.db.write(({ q }) =>
      q.update(members).set({ role: 'write' }).where(eq(members.user_id, bob.id)),
    )
    await deliverDue(world)
    expect(receiver.received).toEqual([])
    expect(await deliveriesOf(world, webhook)).toMatchObject([
      {
        status: 'failed',
        attempts: 0,
        error: expect.stringContaining('no longer administers'),
        request: null,
      },
    ])
  })

  test('are dropped when the maker of the webhook is disabled', async () => {
    const cyd = await givenUser(world, `cyd${n++}`)
    const repo = await givenRepo(world, cyd)
    const { webhook } = await givenWebhook(world, cyd, { url: receiver.url })
    await change(repo, cyd)
    const { users } = world.db.t
    await world.db.write(({ q }) => q.update(users).set({ disabled: true }).where(eq(users.id, cyd.id)))
    await deliverDue(world)
    expect([receiver.received, (await deliveriesOf(world, webhook))[0]?.status]).toEqual([[], 'failed'])
  })

  describe('go nowhere', () => {
    test('inside, when the address leads there by the time they are sent', async () => {
      const lookup: Lookup = async () => ['127.0.0.2']
      const url = `http://hooks.example:${receiver.port}/`
      const { repo, webhook } = await (async () => {
        const made = await givenRepo(world, owner)
        return {
          repo: made,
          ...(await givenWebhook(world, owner, { url, watched: [{ repo: made }] }, lookup)),
        }
      })()
      await change(repo)
      await deliverDue(world, async () => ['10.0.0.1'])
      expect([receiver.received, elsewhere.received]).toEqual([[], []])
      expect(await deliveriesOf(world, webhook)).toMatchObject([
        { status: 'failed', attempts: 1, error: expect.stringContaining('network') },
      ])
    })

    test('by a redirect', async () => {
      const { repo, webhook } = await givenWatched()
      receiver.reply = () => ({ status: 302, headers: { Location: elsewhere.url } })
      await change(repo)
      await deliverDue(world)
      expect([receiver.received.length, elsewhere.received.length]).toEqual([1, 0])
      expect(await deliveriesOf(world, webhook)).toMatchObject([
        { status: 'retrying', response: { status: 302, headers: { location: elsewhere.url } } },
      ])
    })
  })

  test('keep of the answer 8 KiB and no NUL', async () => {
    const { repo, webhook } = await givenWatched()
    receiver.reply = () => ({
      status: 200,
      headers: { 'X-Long': 'h'.repeat(7000) },
      body: `a\0${'b'.repeat(200_000)}`,
    })
    await change(repo)
    await deliverDue(world)
    const [delivery] = await deliveriesOf(world, webhook)
    expect(delivery?.status).toBe('succeeded')
    expect(JSON.stringify(delivery?.response).length).toBeLessThan(8 * 1024 + 200)
    expect(delivery?.response?.body.startsWith('a\ufffdbbb')).toBe(true)
  })

  test('come again under the same id when a worker dies after sending, and once from two workers', async () => {
    const { repo, webhook } = await givenWatched()
    await change(repo)
    const kind = webhookDeliver()
    const { deps } = world
    const claim = (now: Date) =>
      deps.db.write((tx) =>
        claimOne(tx, { engine: deps.db.engine, kinds: [kind], worker: 'w', now, leaseMs: 1 }),
      )
    const job = (await claim(world.clock.now)) ?? expect.fail('no job')
    // As if the process were killed between the answer and the row about it.
    const { jobs } = world.db.t
    receiver.reply = async () => {
      await world.db.write(({ q }) => q.update(jobs).set({ status: 'queued' }).where(eq(jobs.id, job.id)))
      return { status: 200 }
    }
    await new Execution(deps, kind, job, async () => world.clock.now).run()
    expect((await deliveriesOf(world, webhook))[0]).toMatchObject({ status: 'delivering', attempts: 1 })
    receiver.reply = () => ({ status: 200 })
    await Promise.all([deliverDue(world), deliverDue(world)])
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([
      receiver.received[0]?.headers['webhook-id'],
      receiver.received[0]?.headers['webhook-id'],
    ])
    expect((await deliveriesOf(world, webhook))[0]).toMatchObject({ status: 'succeeded', attempts: 1 })
  })

  test('of a webhook deleted meanwhile end quietly', async () => {
    const { repo, webhook } = await givenWatched()
    await change(repo)
    await world.db.write(({ q, t }) => q.delete(t.webhooks).where(eq(t.webhooks.id, webhook.id)))
    await deliverDue(world)
    expect([receiver.received, await deliveriesOf(world, webhook)]).toEqual([[], []])
  })

  test('are a thousand a day', async () => {
    const { repo, webhook } = await givenWatched()
    const { webhook_deliveries: d } = world.db.t
    const row = {
      webhook_id: webhook.id,
      event: 'repo',
      subject: {},
      status: 'succeeded' as const,
      attempts: 1,
    }
    await world.db.write(async ({ q }) => {
      for (let at = 0; at < 1000; at += 100)
        await q.insert(d).values(
          Array.from({ length: 100 }, (_, i) => ({
            ...row,
            id: `00000000-0000-7000-8000-${String(at + i).padStart(12, '0')}`.replace(
              /^0{8}/,
              webhook.id.slice(0, 8),
            ),
            created_at: world.clock.now,
          })),
        )
    })
    await change(repo)
    expect(await world.db.q.$count(d, eq(d.webhook_id, webhook.id))).toBe(1000)
    await expect(testWebhook(world.ctx(owner), webhook.id)).rejects.toMatchObject({ code: 'throttled' })
    pass(world, 24 * hours)
    await change(repo)
    expect(await world.db.q.$count(d, eq(d.webhook_id, webhook.id))).toBe(1001)
  })

  test('can be asked for again once they are over, as new ones with the same body', async () => {
    const { repo, webhook } = await givenWatched()
    receiver.reply = () => ({ status: 500 })
    await change(repo)
    const [first] = await deliveriesOf(world, webhook)
    const again = () => redeliver(world.ctx(owner), webhook.id, first?.id ?? '')
    await expect(again()).rejects.toMatchObject({ code: 'state-conflict' })
    for (let i = 0; i < 7; i++) {
      await deliverDue(world)
      pass(world, 24 * hours)
    }
    await updateWebhook(world.ctx(owner), webhook.id, { active: false })
    receiver.received.length = 0
    receiver.reply = () => ({ status: 200 })
    expect(await again()).toMatchObject({ status: 'queued', attempts: 0, event: 'repo.content' })
    await deliverDue(world)
    const [second, old] = await deliveriesOf(world, webhook)
    expect(second).toMatchObject({ status: 'succeeded', request: { body: old?.request?.body } })
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([second?.id])
  })

  test('of a test are sent once, also while the webhook is off, and name a repo', async () => {
    const { repo, webhook } = await givenWatched({ url: receiver.url, active: false })
    receiver.reply = () => ({ status: 418 })
    await testWebhook(world.ctx(owner), webhook.id)
    await deliverDue(world)
    const wide = await givenWebhook(world, owner, { url: receiver.url, active: false })
    await testWebhook(world.ctx(owner), wide.webhook.id)
    await deliverDue(world)
    expect(receiver.received.map(({ body }) => JSON.parse(body) as unknown)).toMatchObject([
      { event: { scope: 'test' }, repo: { name: `ada/${repo.name}` } },
      { event: { scope: 'test' }, repo: { name: 'ada/webhook-test' } },
    ])
    expect(await deliveriesOf(world, webhook)).toMatchObject([
      { event: 'test', status: 'failed', attempts: 1 },
    ])
    expect(await read(webhook.id)).toMatchObject({ failing_since: null })
  })

  test('are forgotten after 30 days, if they are over', async () => {
    const { repo, webhook } = await givenWatched()
    await change(repo)
    await deliverDue(world)
    await change(repo)
    pass(world, 30 * 24 * hours + 1)
    await oldDeliveries.run(world.ctx(), sweepRun(world))
    expect(await deliveriesOf(world, webhook)).toMatchObject([{ status: 'queued' }])
  })
})
