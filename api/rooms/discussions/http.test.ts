import { beforeAll, expect, test } from 'vitest'
import type { UserActor } from '../../core/access/index.ts'
import { add, givenCommit } from '../content/testing.ts'
import { nativeBase } from '../../core/http/surface.ts'
import type { Repo } from '../repos/index.ts'
import { appOf, eachDatabase, givenRepo, givenToken, givenUser } from '../../testing.ts'
import { mountDiscussions } from './handlers.ts'
import { givenDiscussion, givenPullRequest, givenTexts } from './testing.ts'
import { updateDiscussion } from './update.ts'

eachDatabase('discussions over HTTP', (world) => {
  let owner: UserActor
  let reader: UserActor
  let repo: Repo
  const secrets = new Map<UserActor, string>()
  beforeAll(async () => {
    owner = await givenUser(world, 'ada')
    reader = await givenUser(world, 'bob')
    for (const user of [owner, reader]) secrets.set(user, (await givenToken(world, user)).secret)
    repo = await givenRepo(world, owner, { visibility: 'public' })
    await givenCommit(world, owner, repo, [add('a.txt', 'one\n'), add('b.txt', 'b\n')])
  })

  const call = async (actor: UserActor | undefined, method: string, path: string, body?: unknown) => {
    const app = appOf(world, { native: [mountDiscussions] })
    const url = `${nativeBase}/repos/models/${repo.ns}/${repo.name}/discussions${path}`
    const answer = await app.request(url, {
      method,
      headers: {
        ...(actor ? { Authorization: `Bearer ${secrets.get(actor)}` } : {}),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }
  const commentIn = async (num: number) => {
    const thread = await call(owner, 'GET', `/${num}`)
    return (thread.body['events'] as { id: string }[])[0]?.id ?? ''
  }

  test('only its author or a writer may edit a comment, and the page names them', async () => {
    const num = await givenDiscussion(world, reader, repo, { body: 'As it was.' })
    const path = `/${num}/comments/${await commentIn(num)}`
    const edited = await call(reader, 'PATCH', path, { body: 'As it is.' })
    expect(edited).toMatchObject({ status: 200, body: { body: 'As it is.', edits: 1, edited_by: 'bob' } })
    expect(await call(owner, 'PATCH', path, { body: 'Mended.' })).toMatchObject({
      status: 200,
      body: { body: 'Mended.', edits: 2, edited_by: 'ada', author: { username: 'bob' } },
    })
    const other = await givenDiscussion(world, owner, repo)
    const refused = await call(reader, 'PATCH', `/${other}/comments/${await commentIn(other)}`, { body: 'x' })
    expect(refused.status).toBe(403)
    expect((await call(undefined, 'PATCH', path, { body: 'x' })).status).toBe(401)
    expect((await call(reader, 'PATCH', path, { body: '' })).status).toBe(422)
  })

  test('a list counts what its query finds of either status, whichever is asked for', async () => {
    const mine = await givenRepo(world, owner, { visibility: 'public' })
    for (const title of ['Slow start', 'Slow end', 'Fast'])
      await givenDiscussion(world, reader, mine, { title })
    await updateDiscussion(world.ctx(owner), mine, 2, { status: 'closed' })
    const app = appOf(world, { native: [mountDiscussions] })
    const list = async (query: string) => {
      const url = `${nativeBase}/repos/models/${mine.ns}/${mine.name}/discussions?${query}`
      const answer = await app.request(url, { headers: { Authorization: `Bearer ${secrets.get(reader)}` } })
      return { status: answer.status, body: await answer.json() }
    }
    expect(await list('status=open&q=slow&limit=1')).toMatchObject({
      status: 200,
      body: { items: [{ num: 1 }], next_cursor: '', counts: { open: 1, closed: 1 } },
    })
    expect((await list('kind=pull_request')).body).toMatchObject({ counts: { open: 0, closed: 0 } })
    expect((await list(`q=${'x'.repeat(201)}`)).status).toBe(422)
    expect((await list('q=%00')).status).toBe(422)
  })

  test('labels and assignees are set by a change, shown in answers, and narrow the list page by page', async () => {
    const mine = await givenRepo(world, owner, { visibility: 'public' })
    for (let n = 0; n < 4; n++) await givenDiscussion(world, reader, mine)
    const app = appOf(world, { native: [mountDiscussions] })
    const ask = async (actor: UserActor, method: string, path: string, body?: unknown) => {
      const headers = { Authorization: `Bearer ${secrets.get(actor)}`, 'Content-Type': 'application/json' }
      const url = `${nativeBase}/repos/models/${mine.ns}/${mine.name}${path}`
      const sent = body === undefined ? {} : { body: JSON.stringify(body) }
      const answer = await app.request(url, { method, headers, ...sent })
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
    }
    const { status, body: label } = await ask(owner, 'POST', '/labels', { name: 'Known bug', color: 'red' })
    expect(status).toBe(201)
    expect(label).toEqual({ id: expect.any(String) as string, name: 'Known bug', color: 'red' })
    expect((await ask(owner, 'POST', '/labels', { name: 'x', color: 'mauve' })).status).toBe(422)
    expect((await ask(reader, 'POST', '/labels', { name: 'x' })).status).toBe(403)
    const wanted = { labels: [label['id']], assignees: ['bob'] }
    const person = { username: 'bob', avatar_url: expect.stringContaining('bob') as string }
    for (const num of [1, 2, 4])
      expect(await ask(owner, 'PATCH', `/discussions/${num}`, wanted)).toMatchObject({
        status: 200,
        body: { labels: [label], assignees: [person] },
      })
    expect((await ask(reader, 'PATCH', '/discussions/3', wanted)).status).toBe(403)
    const { body: thread } = await ask(reader, 'GET', '/discussions/1')
    expect(thread).toMatchObject({ labels: [label], assignees: [person] })
    expect((thread['events'] as unknown[]).slice(1)).toMatchObject([
      { type: 'label_change', change: { added: [{ name: 'Known bug', color: 'red' }], removed: [] } },
      { type: 'assignee_change', change: { added: [{ name: 'bob' }], removed: [] } },
    ])
    for (const filter of ['label=known+BUG', `label=${String(label['id'])}`, 'assignee=Bob']) {
      const first = await ask(reader, 'GET', `/discussions?${filter}&limit=2`)
      expect(first.body).toMatchObject({
        items: [
          { num: 4, labels: [label] },
          { num: 2, assignees: [person] },
        ],
        counts: { open: 3, closed: 0 },
      })
      const cursor = encodeURIComponent(String(first.body['next_cursor']))
      const second = await ask(reader, 'GET', `/discussions?${filter}&limit=2&cursor=${cursor}`)
      expect(second.body).toMatchObject({ items: [{ num: 1 }], next_cursor: '' })
      expect((await ask(reader, 'GET', `/discussions?label=other&cursor=${cursor}`)).status).not.toBe(200)
    }
  })

  test('a comment is changed only under the discussion it belongs to', async () => {
    const num = await givenDiscussion(world, owner, repo)
    const other = await givenDiscussion(world, owner, repo)
    const path = `/${other}/comments/${await commentIn(num)}`
    expect((await call(owner, 'PATCH', path, { body: 'x' })).status).toBe(404)
    expect((await call(owner, 'POST', `${path}/hide`)).status).toBe(404)
  })

  test('admins hide a comment, whose text is gone for good', async () => {
    const num = await givenDiscussion(world, reader, repo, { body: 'A secret.' })
    const path = `/${num}/comments/${await commentIn(num)}`
    expect((await call(reader, 'POST', `${path}/hide`)).status).toBe(403)
    expect(await call(owner, 'POST', `${path}/hide`)).toMatchObject({
      status: 200,
      body: { hidden: true, body: '' },
    })
    expect((await call(owner, 'PATCH', path, { body: 'x' })).status).toBe(409)
    expect(JSON.stringify((await call(reader, 'GET', `/${num}`)).body)).not.toContain('A secret.')
  })

  test('the files of a pull request are those that differ since it left its base', async () => {
    const num = await givenPullRequest(world, reader, repo, { 'a.txt': 'one\ntwo\n', 'c.txt': 'c\n' })
    await givenTexts(world, reader, repo, `refs/pr/${num}`, { 'c.txt': 'c\nd\n', 'e.txt': 'e\n' })
    await givenTexts(world, owner, repo, 'main', { 'b.txt': 'changed meanwhile\n' })
    const found = await call(reader, 'GET', `/${num}/files`)
    expect(found).toMatchObject({
      status: 200,
      body: {
        truncated: false,
        files: [
          { path: 'a.txt', status: 'modified', additions: 1, deletions: 0 },
          { path: 'c.txt', status: 'added', additions: 2 },
          { path: 'e.txt', status: 'added', additions: 1 },
        ],
      },
    })
    const empty = await givenDiscussion(world, reader, repo, { kind: 'pull_request' })
    expect((await call(owner, 'GET', `/${empty}/files`)).body).toMatchObject({ files: [], truncated: false })
    const talk = await givenDiscussion(world, reader, repo)
    expect((await call(owner, 'GET', `/${talk}/files`)).status).toBe(409)
    expect((await call(owner, 'GET', '/999/files')).status).toBe(404)
  })
})
