import { beforeAll, expect, test } from 'vitest'
import type { UserActor } from '../../core/access/index.ts'
import { add, givenCommit } from '../content/testing.ts'
import { pass } from '../../core/lfs/testing.ts'
import { setCollaborators } from '../repos/people/collaborators.ts'
import type { Repo } from '../repos/index.ts'
import { eachDatabase, givenRepo, givenUser } from '../../testing.ts'
import { redeliver } from './redeliver.ts'
import { updateWebhook } from './settings.ts'
import { listDeliveries } from './list.ts'
import { deliverDue, deliveriesOf, givenWebhook, useReceiver } from './testing.ts'

eachDatabase('those who manage a webhook that another has made', (world) => {
  const receiver = useReceiver(world)
  let ada: UserActor
  let bob: UserActor
  let shared: Repo
  beforeAll(async () => {
    ada = await givenUser(world, 'ada')
    bob = await givenUser(world, 'bob')
    shared = await givenRepo(world, ada, { name: 'shared' })
    await setCollaborators(world.ctx(ada), shared, [{ username: 'bob', role: 'admin' }])
  })

  test('are shown and may ask again for what they administer, not for what it watched before', async () => {
    const secret = await givenRepo(world, ada, { name: 'secret' })
    const watched = [{ repo: secret }, { repo: shared }]
    const { webhook } = await givenWebhook(world, ada, { url: receiver.url, watched })
    for (const repo of [secret, shared]) await givenCommit(world, ada, repo, [add('a.txt')])
    await deliverDue(world)
    await updateWebhook(world.ctx(ada), webhook.id, { watched: [{ repo: shared }] })
    const [ofShared, ofSecret] = await deliveriesOf(world, webhook)
    const visibleDeliveries = async (who: UserActor, limit = 10) =>
      listDeliveries(world.ctx(who), webhook.id, { limit })
    expect((await visibleDeliveries(ada)).items.map(({ id }) => id)).toEqual([ofShared?.id, ofSecret?.id])
    expect((await visibleDeliveries(bob)).items.map(({ id }) => id)).toEqual([ofShared?.id])
    expect((await visibleDeliveries(bob, 1)).next).toBe(ofShared?.id)
    const again = (id = '') => redeliver(world.ctx(bob), webhook.id, id)
    await expect(again(ofSecret?.id)).rejects.toMatchObject({ code: 'not-found' })
    expect(await again(ofShared?.id)).toMatchObject({ status: 'queued' })
  })

  test('do not have its secret sent to where they choose', async () => {
    const made = { url: receiver.url, watched: [{ repo: shared }] }
    const { webhook } = await givenWebhook(world, ada, { ...made, secretHeader: true })
    const signed = await givenWebhook(world, ada, made)
    const url = `http://127.0.0.1:${receiver.port}/elsewhere`
    const asks = [
      updateWebhook(world.ctx(bob), webhook.id, { url }),
      updateWebhook(world.ctx(bob), signed.webhook.id, { secretHeader: true }),
    ]
    for (const ask of asks)
      await expect(ask).rejects.toMatchObject({ code: 'validation-failed', errors: [{ field: 'secret' }] })
    expect(await updateWebhook(world.ctx(bob), webhook.id, { url, secret: 'of bob' })).toMatchObject({ url })
    expect(await updateWebhook(world.ctx(bob), signed.webhook.id, { url, active: false })).toMatchObject({
      url,
    })
    expect(await updateWebhook(world.ctx(ada), webhook.id, made)).toMatchObject({ url: made.url })
  })

  test('a webhook that failed where it was sent has three days elsewhere', async () => {
    const { webhook } = await givenWebhook(world, ada, { url: receiver.url, watched: [{ repo: shared }] })
    receiver.reply = () => ({ status: 500 })
    await givenCommit(world, ada, shared, [add('b.txt')])
    await deliverDue(world)
    pass(world, 71 * 3_600_000)
    const url = `${receiver.url}?fixed`
    expect(await updateWebhook(world.ctx(ada), webhook.id, { url })).toMatchObject({ failing_since: null })
  })
})
