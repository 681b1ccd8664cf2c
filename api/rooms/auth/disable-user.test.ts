import { and, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Ctx } from '../../core/ctx.ts'
import { publish } from '../../core/events/index.ts'
import { defineJob, enqueue } from '../../core/jobs/index.ts'
import { findUser } from '../namespaces/index.ts'
import { eachDatabase, givenRepo, givenToken, givenUser, overtake, waysToOvertake } from '../../testing.ts'
import { createWebhook } from '../webhooks/index.ts'
import { decideDevice } from './decide-device.ts'
import { disableUser, enableUser } from './disable-user.ts'
import { hashPassword } from './passwords.ts'
import { login } from './login.ts'
import { actorNow, actorOfBasic, actorOfSession, actorOfSigner, actorOfToken } from './principals.ts'
import { redeemDevice } from './redeem-device.ts'
import { requestDevice } from './request-device.ts'

const wrong = { code: 'bad-credentials' }
const password = 'quiet-otter-lamp-42'
const errand = defineJob({
  kind: 'test.errand',
  input: z.strictObject({}),
  maxAttempts: 1,
  title: () => 'Errand',
  run: async () => undefined,
})

eachDatabase('a user who is disabled', (world) => {
  const { q, t } = { q: () => world.db.q, t: () => world.db.t }
  const audited = (action: string, id: string) =>
    q().$count(t().audit, and(eq(t().audit.action, action), eq(t().audit.target_id, id)))

  test('is let in nowhere, and by their tokens again when enabled', async () => {
    const user = await givenUser(world, 'put-out', { passwordHash: await hashPassword(password) })
    const { secret, actor } = await givenToken(world, user)
    const signer = { userId: user.id, tokenId: actor.auth.kind === 'token' ? actor.auth.tokenId : '' }
    const { origin } = world.ctx()
    const byToken = [
      () => actorOfToken(world.deps, secret),
      () => actorOfBasic(world.deps, origin, 'put-out', secret),
      () => actorOfSigner(world.deps, signer),
      () => actorNow(world.ctx(actor)),
    ]
    const bySession = [() => actorOfSession(world.deps, user.secret), () => actorNow(world.ctx(user))]
    const byPerson = [
      () => actorOfSigner(world.deps, { userId: user.id }),
      () => login(world.ctx({ kind: 'anonymous' }), { username: 'put-out', password }),
    ]
    for (const ask of [...byToken, ...bySession, ...byPerson]) await expect(ask()).resolves.toBeTruthy()
    expect(await disableUser(world.ctx(), 'PUT-OUT')).toMatchObject({ isChanged: true, sessions: 2, jobs: 0 })
    for (const ask of [...byToken, ...bySession, ...byPerson])
      await expect(ask()).rejects.toMatchObject(wrong)
    expect(await enableUser(world.ctx(), 'put-out')).toMatchObject({ isChanged: true })
    for (const ask of [...byToken, ...byPerson]) await expect(ask()).resolves.toBeTruthy()
    for (const ask of bySession) await expect(ask()).rejects.toMatchObject(wrong)
  })

  test('takes no session of another user with them', async () => {
    const [leaving, staying] = [await givenUser(world, 'leaving'), await givenUser(world, 'staying')]
    expect(await disableUser(world.ctx(), 'leaving')).toMatchObject({ isChanged: true, sessions: 1 })
    await expect(actorOfSession(world.deps, leaving.secret)).rejects.toMatchObject(wrong)
    expect(await actorOfSession(world.deps, staying.secret)).toMatchObject({ id: staying.id })
  })

  test('is disabled and enabled once, with one audit row each', async () => {
    const { id } = await givenUser(world, 'twice')
    const turns = [disableUser, disableUser, enableUser, enableUser]
    const changes: boolean[] = []
    for (const turn of turns) changes.push((await turn(world.ctx(), 'twice')).isChanged)
    expect(changes).toEqual([true, false, true, false])
    expect([await audited('user.disable', id), await audited('user.enable', id)]).toEqual([1, 1])
    await expect(disableUser(world.ctx(), 'missing')).rejects.toMatchObject({ code: 'not-found' })
    await expect(enableUser(world.ctx(), 'missing')).rejects.toMatchObject({ code: 'not-found' })
  })

  test('leaves no device that they have approved, even when enabled soon after', async () => {
    const user = await givenUser(world, 'approver')
    const { deviceCode, login: waiting } = await requestDevice(world.ctx({ kind: 'anonymous' }))
    await decideDevice(world.ctx(user), waiting.user_code, 'approve')
    await disableUser(world.ctx(), 'approver')
    await enableUser(world.ctx(), 'approver')
    expect(await redeemDevice(world.ctx({ kind: 'anonymous' }), deviceCode)).toBe('access_denied')
  })

  test('has their jobs cancelled, those that run are asked to stop, and others keep theirs', async () => {
    const [user, other] = [await givenUser(world, 'busy'), await givenUser(world, 'bystander')]
    const make = (actor: typeof user) =>
      world.db.write((tx) => enqueue(tx, world.ctx(actor), errand, {}, { dedupKey: actor.username }))
    const [queued, running, theirs] = [await make(user), await make(other), await make(other)]
    const { jobs } = t()
    const second = await world.db.write((tx) => enqueue(tx, world.ctx(user), errand, {}))
    await world.db.write(async (tx) => {
      await tx.q.update(jobs).set({ status: 'running' }).where(eq(jobs.id, second.id))
    })
    const told: string[] = []
    const { jobs: count } = await disableUser(world.ctx(), 'busy', async (_tx, _deps, { id, status }) => {
      told.push(`${id} ${status}`)
    })
    expect(count).toBe(2)
    expect(told).toEqual([`${queued.id} cancelled`])
    const row = async (id: string) => (await q().select().from(jobs).where(eq(jobs.id, id)))[0]
    expect(await row(queued.id)).toMatchObject({ status: 'cancelled', active_key: null })
    expect(await row(second.id)).toMatchObject({ status: 'running', cancel_requested: true })
    expect(running.id).toBe(theirs.id)
    expect(await row(theirs.id)).toMatchObject({ status: 'queued', cancel_requested: false })
  })

  test('has webhooks that rest, and go on when they are enabled', async () => {
    const user = await givenUser(world, 'hooked')
    const repo = await givenRepo(world, user)
    const watched = [{ repo: { type: 'model' as const, ns: 'hooked', name: repo.name } }]
    const { webhook } = await createWebhook(world.ctx(user), {
      url: 'https://93.184.216.34/hook',
      watched,
      events: ['repo'],
    })
    const { webhook_deliveries: deliveries } = t()
    const happen = () =>
      world.db.write((tx) => publish(tx, world.deps, { repoId: repo.id, event: 'repo', action: 'update' }))
    const queued = () => q().$count(deliveries, eq(deliveries.webhook_id, webhook.id))
    await disableUser(world.ctx(), 'hooked')
    await happen()
    expect(await queued()).toBe(0)
    await enableUser(world.ctx(), 'hooked')
    await happen()
    expect(await queued()).toBe(1)
  })

  test('is never the last enabled admin, even of two who are disabled at once', async () => {
    const names = ['chief', 'deputy']
    for (const name of names) await givenUser(world, name, { isAdmin: true })
    const disabling = (name = '') => ({ ctx: world.ctx(), run: (ctx: Ctx) => disableUser(ctx, name) })
    for (const how of waysToOvertake(world))
      for (const [one, other] of [names, names.toReversed()]) {
        // Each holds their own namespace before, which is not in the way of the other.
        const both = { first: disabling(one), late: disabling(other), lock: /^update "users"/ }
        await expect(overtake(how, both)).rejects.toMatchObject({ code: 'last-admin', status: 409 })
        const enabled = await Promise.all([one, other].map((name = '') => findUser(world.db, name)))
        expect(enabled.map((user) => user?.disabled)).toEqual([true, false])
        await enableUser(world.ctx(), one ?? '')
      }
  })
})
