import { beforeAll, describe, expect, test } from 'vitest'
import type { UserActor } from '../../core/access/index.ts'
import { nativeBase } from '../../core/http/surface.ts'
import { setCollaborators } from '../repos/people/collaborators.ts'
import type { Repo } from '../repos/index.ts'
import { appOf, eachDatabase, givenOrg, givenRepo, givenToken, givenUser } from '../../testing.ts'
import { testWebhook } from './redeliver.ts'
import { mountWebhooks } from './handlers.ts'
import { givenWebhook } from './testing.ts'

const url = 'https://8.8.8.8/hook'

eachDatabase('webhooks over HTTP', (world) => {
  let ada: UserActor
  let bob: UserActor
  let root: UserActor
  let repo: Repo
  const secrets = new Map<UserActor, string>()
  beforeAll(async () => {
    ada = await givenUser(world, 'ada')
    bob = await givenUser(world, 'bob')
    root = await givenUser(world, 'root', { isAdmin: true })
    const scopes: ('write' | 'admin')[] = ['write', 'admin']
    for (const user of [ada, bob]) secrets.set(user, (await givenToken(world, user)).secret)
    secrets.set(root, (await givenToken(world, root, { scopes })).secret)
    await givenOrg(world, 'acme', ada, [[bob, 'write']])
    repo = await givenRepo(world, ada, { name: 'tiny', visibility: 'public' })
  })

  async function call(who: UserActor | string | undefined, method: string, path: string, body?: unknown) {
    const secret = typeof who === 'object' ? secrets.get(who) : who
    const answer = await appOf(world, { native: [mountWebhooks] }).request(`${nativeBase}/webhooks${path}`, {
      method,
      headers: {
        ...(secret ? { Authorization: `Bearer ${secret}` } : {}),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    const json = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>
    return { status: answer.status, location: answer.headers.get('Location'), json }
  }
  const wanted = (more: Record<string, unknown> = {}) => ({
    url,
    watched: [{ ns: 'ada' }],
    events: ['repo'],
    ...more,
  })
  const idsOf = ({ json }: { json: Record<string, unknown> }) =>
    (json['items'] as { id: string }[]).map(({ id }) => id)

  test('one is made, shown with its secret once, changed and deleted', async () => {
    const watched = [{ ns: 'acme' }, { repo: { type: 'model', ns: 'ada', name: 'tiny' } }]
    const made = await call(ada, 'POST', '', wanted({ watched }))
    expect(made).toMatchObject({
      status: 201,
      json: {
        watched,
        url,
        events: ['repo'],
        active: true,
        has_secret: true,
        secret_header: false,
        secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      },
    })
    const at = `/${String(made.json['id'])}`
    expect(made.location).toBe(`${nativeBase}/webhooks${at}`)
    const read = await call(ada, 'GET', at)
    expect([read.status, read.json['secret'], read.json['has_secret']]).toEqual([200, undefined, true])
    const changed = await call(ada, 'PATCH', at, { events: ['job'], active: false, secret: '' })
    expect(changed).toMatchObject({
      status: 200,
      json: { events: ['job'], active: false, has_secret: false, watched, url },
    })
    expect((await call(ada, 'DELETE', at)).status).toBe(204)
    expect((await call(ada, 'GET', at)).status).toBe(404)
  })

  test.each([
    ['an address inside', { url: 'http://10.1.2.3/' }, 'url', 'blocked'],
    ['an address that is none', { url: 'mailto:ada@example.org' }, 'url', 'invalid-url'],
    ['an address with a NUL', { url: `${url}\0` }, 'url', 'invalid-url'],
    ['nothing to watch', { watched: [] }, 'watched', undefined],
    ['one thing twice', { watched: [{ ns: 'ada' }, { ns: 'ADA' }] }, 'watched.1', 'duplicate'],
    ['a namespace of others', { watched: [{ ns: 'bob' }] }, 'watched.0.ns', 'forbidden'],
    ['a namespace that is none', { watched: [{ ns: 'absent' }] }, 'watched.0.ns', 'forbidden'],
    ['no event', { events: [] }, 'events', undefined],
    ['an unknown event', { events: ['weather'] }, 'events.0', undefined],
    ['a secret that no header holds', { secret: 'a\nb' }, 'secret', 'invalid'],
    ['a short Standard Webhooks secret', { secret: 'whsec_c2hvcnQ=' }, 'secret', 'invalid'],
    ['an unknown field', { colour: 'red' }, 'colour', undefined],
  ])('%s is refused by the name of its field', async (_, more, field, code) => {
    const { status, json } = await call(ada, 'POST', '', wanted(more))
    expect([status, (json['errors'] as object[])[0]]).toMatchObject([
      422,
      { field, ...(code ? { code } : {}) },
    ])
  })

  test('registering one takes admin rights on what it watches', async () => {
    const hidden = await givenRepo(world, ada)
    const on = (name: string) => wanted({ watched: [{ repo: { type: 'model', ns: 'ada', name } }] })
    expect((await call(bob, 'POST', '', on('tiny'))).status).toBe(403)
    const [there, absent] = [
      await call(bob, 'POST', '', on(hidden.name)),
      await call(bob, 'POST', '', on('absent')),
    ]
    expect([there.status, there.json['code'], absent.json['code']]).toEqual([
      404,
      'repo-not-found',
      'repo-not-found',
    ])
    expect((await call(bob, 'POST', '', wanted({ watched: [{ ns: 'acme' }] }))).status).toBe(422)
  })

  describe('who may manage one', () => {
    const reads = async (who: UserActor | string | undefined, id: string) =>
      (await call(who, 'GET', `/${id}`)).status

    test('who made it, and who administers everything it watches', async () => {
      const shared = await givenRepo(world, ada)
      await setCollaborators(world.ctx(ada), shared, [{ username: 'bob', role: 'admin' }])
      const narrow = await givenWebhook(world, ada, { url, watched: [{ repo: shared }] })
      const wide = await givenWebhook(world, ada, { url, watched: [{ repo: shared }, { repo }] })
      expect([await reads(bob, narrow.webhook.id), await reads(bob, wide.webhook.id)]).toEqual([200, 404])
      const mixed = await givenWebhook(world, ada, { url, watched: [{ repo: shared }, { ns: 'acme' }] })
      expect([await reads(bob, mixed.webhook.id), await reads(ada, mixed.webhook.id)]).toEqual([404, 200])
      expect(await reads(root, mixed.webhook.id)).toBe(200)
      expect(await reads(undefined, narrow.webhook.id)).toBe(401)
      const listed = idsOf(await call(bob, 'GET', '?limit=500'))
      expect(listed).toContain(narrow.webhook.id)
      expect(listed).not.toContain(wide.webhook.id)
      expect(listed).not.toContain(mixed.webhook.id)
    })

    test('with a whole token: a fenced one is refused, one that reads may only read', async () => {
      const { webhook } = await givenWebhook(world, ada, { url })
      const fenced = await givenToken(world, ada, { fence: { namespaces: ['ada'] } })
      const reading = await givenToken(world, ada, { scopes: ['read'] })
      expect(await reads(fenced.secret, webhook.id)).toBe(403)
      expect(await reads(reading.secret, webhook.id)).toBe(200)
      expect((await call(reading.secret, 'PATCH', `/${webhook.id}`, { active: false })).status).toBe(403)
      expect((await call(reading.secret, 'POST', '', wanted())).status).toBe(403)
    })

    test('and only by its maker when nothing it watched is left', async () => {
      const { webhook } = await givenWebhook(world, ada, { url, watched: [{ repo }] })
      await world.db.write(({ q, t }) => q.delete(t.webhook_watches))
      expect([await reads(bob, webhook.id), await reads(ada, webhook.id)]).toEqual([404, 200])
      expect(idsOf(await call(bob, 'GET', ''))).not.toContain(webhook.id)
    })
  })

  test('the list is of a namespace or a repo when asked, page by page', async () => {
    const cyd = await givenUser(world, 'cyd')
    secrets.set(cyd, (await givenToken(world, cyd)).secret)
    const own = await givenRepo(world, cyd, { name: 'own' })
    const [one, two, three] = [
      await givenWebhook(world, cyd, { url }),
      await givenWebhook(world, cyd, { url }),
      await givenWebhook(world, cyd, { url, watched: [{ repo: own }] }),
    ].map(({ webhook }) => webhook.id)
    expect(idsOf(await call(cyd, 'GET', '?ns=cyd'))).toEqual([two, one])
    expect(idsOf(await call(cyd, 'GET', '?repo=models/cyd/own'))).toEqual([three])
    expect(idsOf(await call(root, 'GET', '?ns=cyd'))).toEqual([two, one])
    expect(idsOf(await call(root, 'GET', ''))).not.toContain(one)
    const first = await call(cyd, 'GET', '?limit=2')
    const next = String(first.json['next_cursor'])
    const second = await call(cyd, 'GET', `?limit=2&cursor=${next}`)
    expect([idsOf(first), idsOf(second), second.json['next_cursor']]).toEqual([[three, two], [one], ''])
    expect((await call(bob, 'GET', '?ns=cyd')).status).toBe(403)
    expect((await call(bob, 'GET', '?repo=models/cyd/own')).json['code']).toBe('repo-not-found')
    expect((await call(ada, 'GET', `?limit=2&cursor=${next}`)).json['code']).toBe('invalid-cursor')
  })

  test('deliveries are shown and asked for again under their own webhook alone', async () => {
    const { webhook } = await givenWebhook(world, ada, { url })
    const other = (await givenWebhook(world, ada, { url })).webhook
    const tested = await call(ada, 'POST', `/${webhook.id}/test`)
    expect(tested).toMatchObject({
      status: 202,
      location: `${nativeBase}/webhooks/${webhook.id}/deliveries`,
      json: { event: 'test', status: 'queued', attempts: 0, request: { headers: {}, body: '' } },
    })
    const id = String(tested.json['id'])
    const again = (of: string) => call(ada, 'POST', `/${of}/deliveries/${id}/redeliver`)
    expect([(await again(webhook.id)).status, (await again(other.id)).status]).toEqual([409, 404])
    await world.db.write(({ q, t }) => q.update(t.webhook_deliveries).set({ status: 'failed' }))
    expect(await again(webhook.id)).toMatchObject({ status: 202, json: { event: 'test', status: 'queued' } })
    expect(idsOf(await call(ada, 'GET', `/${webhook.id}/deliveries`))).toHaveLength(2)
    expect(idsOf(await call(ada, 'GET', `/${other.id}/deliveries`))).toEqual([])
    expect((await call(bob, 'GET', `/${webhook.id}/deliveries`)).status).toBe(404)
    await testWebhook(world.ctx(ada), webhook.id)
    expect((await call(ada, 'GET', `/${webhook.id}`)).json).toMatchObject({
      last_delivery: { status: 'queued' },
    })
  })
})
