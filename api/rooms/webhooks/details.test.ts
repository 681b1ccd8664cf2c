import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import type { UserActor } from '../../core/access/index.ts'
import { pass } from '../../core/lfs/testing.ts'
import { givenOrg, eachDatabase, givenRepo, givenUser } from '../../testing.ts'
import { createBranch } from '../content/index.ts'
import { updateRepo } from '../repos/index.ts'
import { testWebhook } from './redeliver.ts'
import { updateWebhook } from './settings.ts'
import { webhookCheck } from './checks.ts'
import { findDeliveries } from './queries.ts'
import { checkSecret } from './secret.ts'
import { deliverDue, deliveriesOf, givenWebhook, useReceiver } from './testing.ts'
import { viewDelivery } from './view.ts'

eachDatabase('webhooks in detail', (world) => {
  const receiver = useReceiver(world)
  let ada: UserActor
  beforeAll(async () => {
    ada = await givenUser(world, 'ada')
  })
  const sent = (scope: string) =>
    receiver.received
      .splice(0)
      .map(({ body }) => JSON.parse(body) as Record<string, unknown> & { event: { scope: string } })
      .filter(({ event }) => event.scope === scope)

  test('a delivery is shown with what was answered, or why nothing was', async () => {
    const { webhook } = await givenWebhook(world, ada, { url: receiver.url })
    const waiting = viewDelivery(await testWebhook(world.ctx(ada), webhook.id))
    expect([waiting.status, 'response' in waiting, 'error' in waiting]).toEqual(['queued', false, false])
    receiver.reply = () => ({ status: 418, body: 'no coffee' })
    await deliverDue(world)
    const [answered] = (await deliveriesOf(world, webhook)).map(viewDelivery)
    expect(answered).toMatchObject({ status: 'failed', response: { status: 418, body: 'no coffee' } })
  })

  test('deliveries go on page by page, newest first', async () => {
    const { webhook } = await givenWebhook(world, ada, { url: receiver.url })
    const ids: string[] = []
    for (let i = 0; i < 3; i++) ids.unshift((await testWebhook(world.ctx(ada), webhook.id)).id)
    const page = async (after?: string) =>
      (await findDeliveries(world.db, webhook.id, { after, limit: 2 })).map(({ id }) => id)
    expect(await page()).toEqual(ids.slice(0, 2))
    expect(await page(ids[1])).toEqual(ids.slice(2))
    expect(await page(ids[2])).toEqual([])
    await deliverDue(world)
    receiver.received.length = 0
  })

  test('a test names the repo that is watched as private as it is', async () => {
    const [open, closed] = [
      await givenRepo(world, ada, { visibility: 'public' }),
      await givenRepo(world, ada, { visibility: 'private' }),
    ]
    for (const repo of [open, closed]) {
      const { webhook } = await givenWebhook(world, ada, { url: receiver.url, watched: [{ repo }] })
      await testWebhook(world.ctx(ada), webhook.id)
      await deliverDue(world)
    }
    expect(sent('test')).toMatchObject([
      { repo: { name: `ada/${open.name}`, private: false } },
      { repo: { name: `ada/${closed.name}`, private: true } },
    ])
  })

  test('a changed setting is sent alone, under the name the hub has for it', async () => {
    await givenOrg(world, 'acme', ada)
    const repo = await givenRepo(world, ada, { ns: 'acme', visibility: 'public' })
    await givenWebhook(world, ada, { url: receiver.url, watched: [{ repo }], events: ['repo.config'] })
    const configAfter = async (changes: Parameters<typeof updateRepo>[2]) => {
      await updateRepo(world.ctx(ada), { ...repo, ns: 'acme' }, changes)
      await deliverDue(world)
      return sent('repo.config').map((message) => message['updatedConfig'])
    }
    expect(await configAfter({ visibility: 'private' })).toEqual([{ private: true }])
    expect(await configAfter({ visibility: 'public' })).toEqual([{ private: false }])
    expect(await configAfter({ description: 'small' })).toEqual([{ description: 'small' }])
    await createBranch(world.ctx(ada), { ...repo, ns: 'acme' }, { name: 'next', via: 'api' })
    const next = { name: 'next', readHead: async () => async () => true }
    expect(await configAfter({ defaultBranch: next })).toEqual([{ defaultBranch: 'next' }])
    expect(await configAfter({ discussionsEnabled: false })).toEqual([{ discussionsDisabled: true }])
  })

  test('one that is off stays off when something else changes, and goes on when it is switched on', async () => {
    const { webhook } = await givenWebhook(world, ada, { url: receiver.url, active: false })
    const changed = async (changes: Parameters<typeof updateWebhook>[2]) =>
      (await updateWebhook(world.ctx(ada), webhook.id, changes)).active
    expect(await changed({ events: ['job'] })).toBe(false)
    expect(await changed({ active: true })).toBe(true)
    expect(await changed({ events: ['repo'] })).toBe(true)
    expect(await changed({ active: false })).toBe(false)
  })

  test('the check finds a delivery that is two days late, and none that is less', async () => {
    const { webhook } = await givenWebhook(world, ada, { url: receiver.url })
    const { id } = await testWebhook(world.ctx(ada), webhook.id)
    const found = async () => {
      const findings = []
      for await (const finding of webhookCheck.run(world.deps, { repair: false } as never))
        findings.push(finding)
      return findings.filter(({ message }) => message.includes(id)).map(({ check }) => check)
    }
    await world.db.write(async ({ q, t: { webhook_deliveries: d } }) => {
      await q.update(d).set({ next_attempt_at: world.clock.now }).where(eq(d.id, id))
    })
    pass(world, 2 * 24 * 3_600_000)
    expect(await found()).toEqual([])
    pass(world, 1)
    expect(await found()).toEqual(['webhooks.delivery'])
  })
})

test.each([
  [23, false],
  [24, true],
  [64, true],
  [65, false],
])('a Standard Webhooks secret of %d bytes', (bytes, isAllowed) => {
  const check = () => checkSecret(`whsec_${Buffer.alloc(bytes, 7).toString('base64')}`)
  if (isAllowed) expect(check).not.toThrow()
  else expect(check).toThrow(expect.objectContaining({ code: 'validation-failed' }))
})
