import { expect, test } from 'vitest'
import { add, givenCommit } from '../content/testing.ts'
import { mountHub } from '../../surfaces/hub/handlers.ts'
import { hubErrorResponse } from '../../surfaces/hub/wire/errors.ts'
import { isHubPath } from '../../surfaces/hub/wire/paths.ts'
import { appOf, eachDatabase, givenRepo, givenToken, givenUser } from '../../testing.ts'
import { accessFormOf } from './people/access-form.ts'
import { createAccessRequest } from './people/access-requests.ts'
import { decideAccessRequest, grantAccess } from './people/decide-access.ts'
import { likeRepo, requireRepo, updateRepo } from './index.ts'
import { listLikedRepos, listLikers } from './people/likers.ts'
import { viewRepo } from './view.ts'

const card = `---
extra_gated_heading: Please ask
extra_gated_prompt: You agree to *nothing bad*.
extra_gated_button_content: I ask
extra_gated_fields:
  Company: text
  Country: country
  Since: date_picker
  Where from: ip_location
  constructor: text
  Use:
    type: select
    options:
      - Research
      - label: Something else
        value: other
  I agree: checkbox
---
# Gated
`

eachDatabase('who may read a gated repo', (world) => {
  const gatedOf = (ns: string) => ({ type: 'model' as const, ns, name: 'gated' })

  async function given(owner: string, more = {}) {
    const ada = await givenUser(world, owner)
    const bob = await givenUser(world, `${owner}-asks`, { displayName: 'Bob' })
    const repo = await givenRepo(world, ada, {
      name: 'gated',
      visibility: 'public',
      gated: 'manual',
      ...more,
    })
    return { ada, bob, repo, at: gatedOf(owner), of: { username: bob.username } }
  }

  test('a decision is withdrawn, reversed and made again', async () => {
    const { ada, bob, at, of } = await given('ada')
    const ctx = world.ctx(ada)
    await createAccessRequest(world.ctx(bob), at, {})
    await decideAccessRequest(ctx, at, of, { status: 'accepted' })
    const taken = await decideAccessRequest(ctx, at, of, { status: 'pending' })
    expect(taken).toMatchObject({ status: 'pending', decidedAt: null, decidedBy: null })
    await expect(requireRepo(world.ctx(bob), at, 'repo.files')).rejects.toMatchObject({ code: 'gated' })
    const rejected = await decideAccessRequest(ctx, at, of, { status: 'rejected', reason: 'no' })
    expect(rejected).toMatchObject({ status: 'rejected', decidedBy: 'ada', reason: 'no' })
    await expect(
      decideAccessRequest(ctx, at, { username: 'nobody' }, { status: 'accepted' }),
    ).rejects.toMatchObject({ code: 'not-found' })
    await expect(
      decideAccessRequest(ctx, at, { username: 'ada' }, { status: 'accepted' }),
    ).rejects.toMatchObject({ code: 'not-found' })
  })

  test('access is granted to who has not asked, once, and only where it is needed', async () => {
    const { ada, bob, at } = await given('granter')
    await expect(grantAccess(world.ctx(bob), at, 'granter')).rejects.toMatchObject({ code: 'forbidden' })
    await grantAccess(world.ctx(ada), at, bob.username)
    expect(await requireRepo(world.ctx(bob), at, 'repo.files')).toMatchObject({ accessStatus: 'accepted' })
    await expect(grantAccess(world.ctx(ada), at, bob.username)).rejects.toMatchObject({
      code: 'state-conflict',
    })
    await updateRepo(world.ctx(ada), at, { gated: null })
    await expect(grantAccess(world.ctx(ada), at, bob.username)).rejects.toMatchObject({
      code: 'state-conflict',
    })
  })

  test('what the card asks must be answered', async () => {
    const { ada, bob, repo, at } = await given('asks')
    await givenCommit(world, ada, repo, [add('README.md', card)])
    const seen = await requireRepo(world.ctx(bob), at, 'repo.get')
    expect((await viewRepo(world.ctx(bob), seen)).access_form).toEqual({
      heading: 'Please ask',
      prompt: 'You agree to *nothing bad*.',
      button: 'I ask',
      fields: [
        { name: 'Company', kind: 'text' },
        { name: 'Country', kind: 'country' },
        { name: 'Since', kind: 'date' },
        { name: 'constructor', kind: 'text' },
        { name: 'Use', kind: 'select', options: ['Research', 'other'] },
        { name: 'I agree', kind: 'checkbox' },
      ],
    })
    const fields = { Company: 'Acme', Country: 'Chile', Since: '2026-03-01', Use: 'mischief' }
    await expect(
      createAccessRequest(world.ctx(bob), at, { fields: { ...fields, 'I agree': 'no' } }),
    ).rejects.toMatchObject({
      code: 'validation-failed',
      errors: expect.toSatisfy((errors: { field: string; code: string }[]) => {
        const said = errors.map(({ field, code }) => `${field} ${code}`).toSorted()
        expect(said).toEqual([
          'fields.I agree required',
          'fields.Use unknown-choice',
          'fields.constructor required',
        ])
        return true
      }),
    })
    const whole = { ...fields, constructor: 'x', Use: 'other', 'I agree': 'true' }
    expect(await createAccessRequest(world.ctx(bob), at, { fields: whole })).toMatchObject({ fields: whole })
  })

  test('the hub surface lists, decides and grants, and calls repeats bad requests', async () => {
    const { ada, bob, at } = await given('hubby')
    await createAccessRequest(world.ctx(bob), at, { fields: { why: 'x' } })
    const app = appOf(world, { root: [mountHub] }, [{ owns: isHubPath, render: hubErrorResponse }])
    const { secret } = await givenToken(world, ada)
    const call = async (path: string, body?: unknown) => {
      const response = await app.request(`/api/models/hubby/gated/user-access-request/${path}`, {
        method: body ? 'POST' : 'GET',
        headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      return [response.status, await response.json()] as const
    }
    const line = {
      requestId: expect.any(String),
      user: { user: bob.username, fullname: 'Bob' },
      status: 'pending',
      timestamp: world.clock.now.toISOString(),
      fields: { why: 'x' },
    }
    expect(await call('pending')).toEqual([200, [line]])
    const handle = (status: string) => call('handle', { user: bob.username, status, rejectionReason: null })
    const reason = { user: bob.username, status: 'rejected', rejectionReason: 'a\0b' }
    expect((await call('handle', reason))[0]).toBe(400)
    expect(await handle('accepted')).toEqual([200, {}])
    expect(await handle('accepted')).toMatchObject([400, { error: 'The request is accepted already.' }])
    expect(await call('accepted')).toMatchObject([200, [{ status: 'accepted' }]])
    expect((await call('handle', { user: 'hubby', status: 'accepted' }))[0]).toBe(404)
    expect((await call('grant', { user: bob.username }))[0]).toBe(400)
    expect(await handle('pending')).toEqual([200, {}])
    expect(await call('grant', { user: bob.username })).toEqual([200, {}])
    expect((await call('maybe'))[0]).toBe(400)
  })
})

eachDatabase('likes', (world) => {
  test('likers and liked repos come in pages, latest first, without hidden repos', async () => {
    const [ada, bob] = [await givenUser(world, 'ada'), await givenUser(world, 'bob')]
    const made = []
    for (const name of ['one', 'two', 'hidden']) {
      world.clock.now = new Date(world.clock.now.getTime() + 1000)
      const visibility = name === 'hidden' ? 'private' : 'public'
      made.push(await givenRepo(world, ada, { name, visibility }))
      await likeRepo(world.ctx(ada), { type: 'model', ns: 'ada', name }, true)
    }
    world.clock.now = new Date(world.clock.now.getTime() + 1000)
    const one = { type: 'model' as const, ns: 'ada', name: 'one' }
    await likeRepo(world.ctx(bob), one, true)
    const likers = await listLikers(world.ctx(), one, { limit: 1 })
    expect(likers.items).toMatchObject([{ username: 'bob' }])
    const rest = await listLikers(world.ctx(), one, { limit: 1, after: likers.next })
    expect(rest).toEqual({ items: [expect.objectContaining({ username: 'ada' })] })
    const liked = async (actor: typeof ada) =>
      (await listLikedRepos(world.ctx(actor), 'ADA', { limit: 10 })).items.map(({ name }) => name)
    expect(await liked(ada)).toEqual(['hidden', 'two', 'one'])
    expect(await liked(bob)).toEqual(['two', 'one'])
    const page = await listLikedRepos(world.ctx(bob), 'ada', { limit: 1 })
    expect(page.next).toMatchObject({ id: made[1]?.id })
    const last = await listLikedRepos(world.ctx(bob), 'ada', { limit: 1, after: page.next })
    expect(last).toMatchObject({ items: [{ name: 'one' }] })
    await expect(listLikedRepos(world.ctx(), 'nobody', { limit: 1 })).rejects.toMatchObject({
      code: 'not-found',
    })
  })
})

test.each([
  null,
  { extra_gated_fields: 'name' },
  { extra_gated_fields: ['name'] },
  { extra_gated_fields: null, extra_gated_prompt: 7 },
])('a card that asks nothing makes an empty form: %j', (front) => {
  expect(accessFormOf(front)).toEqual({ fields: [] })
})
