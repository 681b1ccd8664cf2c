import { expect, test } from 'vitest'
import { anonymous, type Actor, type UserActor } from '../../core/access/index.ts'
import { nativeBase } from '../../core/http/surface.ts'
import { appOf, eachDatabase, givenOrg, givenRepo, givenToken, givenUser } from '../../testing.ts'
import { add, givenCommit } from '../content/testing.ts'
import { givenDiscussion } from '../discussions/testing.ts'
import { mountActivity } from './handlers.ts'
import { listUserActivity } from './list.ts'

eachDatabase('the activity of a person', (world) => {
  const shown = async (viewer: Actor, username: string) => {
    const { items } = await listUserActivity(world.ctx(viewer), username, { limit: 50 })
    return items.map(({ repo, commit, discussion }) => {
      const what = commit?.title ?? discussion?.title ?? 'created'
      return `${repo.ns}/${repo.name}: ${what}`
    })
  }

  test('holds repos, commits and discussions, newest first', async () => {
    const [ann, ben] = [await givenUser(world, 'ann'), await givenUser(world, 'ben')]
    const own = await givenRepo(world, ann, { name: 'own', visibility: 'public' })
    const other = await givenRepo(world, ben, { name: 'other', visibility: 'public' })
    await givenCommit(world, ann, own, [add('a.txt', 'a')], { title: 'add a' })
    await givenCommit(world, ben, other, [add('b.txt', 'b')], { title: 'not hers' })
    await givenDiscussion(world, ann, other, { title: 'How fast?' })
    await givenDiscussion(world, ben, own, { title: 'Not hers either' })
    expect(await shown(ben, 'ANN')).toEqual(['ben/other: How fast?', 'ann/own: add a', 'ann/own: created'])
    const { items } = await listUserActivity(world.ctx(ben), 'ann', { limit: 50 })
    expect(items.map(({ commit, discussion }) => [commit?.branch, discussion?.kind])).toEqual([
      [undefined, 'discussion'],
      ['main', undefined],
      [undefined, undefined],
    ])
  })

  test('shows what happened in repos that the viewer may see, and nothing else', async () => {
    const [cy, dee, eli] = [
      await givenUser(world, 'cy'),
      await givenUser(world, 'dee'),
      await givenUser(world, 'eli'),
    ]
    await givenOrg(world, 'shop', cy)
    const hidden = await givenRepo(world, cy, { name: 'hidden' })
    await givenCommit(world, cy, hidden, [add('a.txt', 'a')], { title: 'secret' })
    await givenDiscussion(world, cy, hidden, { title: 'Secret too' })
    await givenRepo(world, cy, { name: 'open', visibility: 'public' })
    expect(await shown(dee, 'cy')).toEqual(['cy/open: created'])
    expect(await shown(cy, 'cy')).toEqual([
      'cy/open: created',
      'cy/hidden: Secret too',
      'cy/hidden: secret',
      'cy/hidden: created',
    ])
    const { actor } = await givenToken(world, cy, {
      fence: { repos: [{ type: 'model', ns: 'cy', name: 'open' }] },
    })
    expect(await shown(actor, 'cy')).toEqual(['cy/open: created'])
    expect(await shown(eli, 'dee')).toEqual([])
    const read = (viewer: Actor, username: string) =>
      listUserActivity(world.ctx(viewer), username, { limit: 50 })
    await expect(read(anonymous, 'cy')).rejects.toMatchObject({ code: 'unauthenticated' })
    await expect(read(dee, 'unknown-name')).rejects.toMatchObject({ code: 'not-found' })
    await expect(read(dee, 'shop')).rejects.toMatchObject({ code: 'not-found' })
  })

  test('leaves out discussions of repos that have them switched off', async () => {
    const fay: UserActor = await givenUser(world, 'fay')
    const repo = await givenRepo(world, fay, { visibility: 'public' })
    await givenDiscussion(world, fay, repo, { title: 'Heard?' })
    const { repos } = world.db.t
    await world.db.write(({ q }) => q.update(repos).set({ discussions_enabled: false }))
    expect(await shown(fay, 'fay')).toEqual([`fay/${repo.name}: created`])
    await world.db.write(({ q }) => q.update(repos).set({ discussions_enabled: true }))
  })

  test('comes by pages that neither repeat nor miss an entry', async () => {
    const gil = await givenUser(world, 'gil')
    const repo = await givenRepo(world, gil, { name: 'busy', visibility: 'public' })
    for (let i = 0; i < 3; i++) {
      await givenCommit(world, gil, repo, [add('n.txt', String(i))], { title: `commit ${i}` })
      await givenDiscussion(world, gil, repo, { title: `talk ${i}` })
    }
    const app = appOf(world, { native: [mountActivity] })
    const { secret } = await givenToken(world, gil, { scopes: ['read'] })
    const seen: string[] = []
    let next = ''
    do {
      const more = next && `&cursor=${encodeURIComponent(next)}`
      const answer = await app.request(`${nativeBase}/users/gil/activity?limit=2${more}`, {
        headers: { Authorization: `Bearer ${secret}` },
      })
      expect(answer.status).toBe(200)
      const page = (await answer.json()) as {
        items: { commit?: { sha: string; title: string }; discussion?: { title: string } }[]
        next_cursor: string
      }
      seen.push(
        ...page.items.map(({ commit, discussion }) => commit?.title ?? discussion?.title ?? 'created'),
      )
      next = page.next_cursor
    } while (next)
    expect(seen).toEqual(['talk 2', 'commit 2', 'talk 1', 'commit 1', 'talk 0', 'commit 0', 'created'])
  })
})
