import { beforeAll, describe, expect, test } from 'vitest'
import type { UserActor } from '../../../core/access/index.ts'
import { buildApp } from '../../../app/app.ts'
import { add, givenCommit } from '../../../rooms/content/testing.ts'
import { getDiscussion, updateDiscussion } from '../../../rooms/discussions/index.ts'
import { createLabel } from '../../../rooms/discussions/labels/change-labels.ts'
import { requestReview } from '../../../rooms/discussions/review/requests.ts'
import { submitReview } from '../../../rooms/discussions/review/submit.ts'
import { givenDiscussion, givenPullRequest, givenTexts } from '../../../rooms/discussions/testing.ts'
import type { App } from '../../../core/http/env.ts'
import { updateRepo, type Repo } from '../../../rooms/repos/index.ts'
import { eachDatabase, givenRepo, givenToken, givenUser } from '../../../testing.ts'

eachDatabase('the hub surface of discussions', (world) => {
  let app: App
  let owner: UserActor
  let reader: UserActor
  let repo: Repo
  const secrets = new Map<UserActor, string>()
  beforeAll(async () => {
    app = buildApp(world.deps, { state: 'ready', check: async () => undefined })
    owner = await givenUser(world, 'ada')
    reader = await givenUser(world, 'bob')
    for (const user of [owner, reader]) secrets.set(user, (await givenToken(world, user)).secret)
    repo = await givenRepo(world, owner, { visibility: 'public' })
    await givenCommit(world, owner, repo, [add('a.txt', 'one\n')])
  })

  async function call(
    actor: UserActor,
    method: string,
    path: string,
    body?: string,
    type = 'application/json',
  ) {
    const answer = await app.request(`/api/models/${repo.ns}/${repo.name}${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${secrets.get(actor)}`,
        ...(body === undefined ? {} : { 'Content-Type': type }),
      },
      ...(body === undefined ? {} : { body }),
    })
    const text = await answer.text()
    expect(text).not.toMatch(/:null[,}]/)
    return {
      status: answer.status,
      headers: answer.headers,
      body: JSON.parse(text) as Record<string, unknown>,
    }
  }
  const send = (actor: UserActor, path: string, body?: unknown) =>
    call(actor, 'POST', path, body === undefined ? undefined : JSON.stringify(body))
  const commitTo = (actor: UserActor, rev: string, file: string, header: Record<string, unknown> = {}) => {
    const lines = [
      { key: 'header', value: { summary: 'Change it', description: 'Why not.', ...header } },
      { key: 'file', value: { path: file, content: 'eA==', encoding: 'base64' } },
    ]
    return call(
      actor,
      'POST',
      `/commit/${rev}`,
      lines.map((line) => JSON.stringify(line)).join('\n'),
      'application/x-ndjson',
    )
  }

  test('a commit with create_pr says where its pull request is; one without does not', async () => {
    const made = await commitTo(reader, 'main?create_pr=1', 'b.txt')
    const page = `http://localhost/${repo.ns}/${repo.name}`
    expect(made).toMatchObject({
      status: 200,
      body: { success: true, commitUrl: `${page}/commit/${String(made.body['commitOid'])}`, hookOutput: '' },
    })
    expect(made.body['pullRequestUrl']).toMatch(new RegExp(`^${page}/discussions/\\d+$`))
    expect((await commitTo(owner, 'main', 'c.txt')).body).not.toHaveProperty('pullRequestUrl')
  })

  test('a review is shown by its comments, and an entry that the public hub does not have is left out', async () => {
    const num = await givenPullRequest(world, reader, repo, { 'r.txt': 'r' })
    await requestReview(world.ctx(reader), repo, { num, username: 'ada' }, true)
    const { discussion } = await getDiscussion(world.ctx(owner), repo, num)
    await submitReview(world.ctx(owner), repo, num, {
      verdict: 'request_changes',
      head: discussion.pull?.head ?? '',
      body: 'Not yet.',
      comments: [{ place: { path: 'r.txt', side: 'new', line: 1 }, body: 'Why?' }],
    })
    const { id } = await createLabel(world.ctx(owner), repo, { name: 'bug', color: 'red' })
    const sorted = { labels: [id], assignees: ['ada'] }
    await updateDiscussion(world.ctx(owner), repo, num, sorted)
    const { body } = await call(owner, 'GET', `/discussions/${num}`)
    const events = body['events'] as { type: string; data: { latest?: { raw: string } } }[]
    expect(events.map(({ type, data }) => [type, data.latest?.raw])).toEqual([
      ['comment', expect.any(String)],
      ['commit', undefined],
      ['comment', 'Not yet.'],
      ['comment', 'Why?'],
    ])
    expect(Object.keys(body).filter((key) => /label|assign/i.test(key))).toEqual([])
  })

  test('preupload is open to readers for pull requests alone', async () => {
    const num = await givenPullRequest(world, reader, repo, { 'p.txt': 'p' })
    const files = { files: [{ path: 'p.txt', size: 1, sample: 'cA==' }] }
    for (const [rev, status] of [
      ['main', 403],
      ['main?create_pr=1', 200],
      [`refs%2Fpr%2F${num}`, 200],
      [`refs/pr/${num}`, 200],
      ['refs%2Fpr%2F999', 404],
    ] as const)
      expect((await send(reader, `/preupload/${rev}`, files)).status).toBe(status)
  })

  test('a stale parentCommit of a pull request is 412, of a new one its base', async () => {
    const num = await givenPullRequest(world, reader, repo, { 'q.txt': 'q' })
    const first = (await world.deps.git.openFresh(repo.id)).findRef(`refs/pr/${num}`)?.commit ?? ''
    await givenTexts(world, owner, repo, `refs/pr/${num}`, { 'r.txt': 'r' })
    expect((await commitTo(reader, `refs%2Fpr%2F${num}`, 's.txt', { parentCommit: first })).status).toBe(412)
    expect((await commitTo(reader, 'main?create_pr=1', 's.txt', { parentCommit: first })).status).toBe(200)
  })

  test('a commit with create_pr that changes nothing is 400', async () => {
    const same = JSON.stringify({ key: 'file', value: { path: 'a.txt', content: 'one\n' } })
    const body = `${JSON.stringify({ key: 'header', value: { summary: 'x' } })}\n${same}`
    expect(
      (await call(reader, 'POST', '/commit/main?create_pr=1', body, 'application/x-ndjson')).status,
    ).toBe(400)
  })

  test('pull requests are listed among the refs for those who ask for them', async () => {
    const num = await givenPullRequest(world, reader, repo, { 't.txt': 't' })
    expect((await call(reader, 'GET', '/refs')).body).not.toHaveProperty('pullRequests')
    const { body } = await call(reader, 'GET', '/refs?include_prs=1')
    expect(body['pullRequests']).toContainEqual(
      expect.objectContaining({ name: `${num}`, ref: `refs/pr/${num}` }),
    )
  })

  test('what conflicts is 409 with the files, and said before', async () => {
    const num = await givenPullRequest(world, reader, repo, { 'a.txt': 'two\n' })
    await givenTexts(world, owner, repo, 'main', { 'a.txt': 'three\n' })
    const shown = await call(reader, 'GET', `/discussions/${num}?diff=1`)
    expect(shown.body).toMatchObject({
      isPullRequest: true,
      status: 'open',
      changes: { base: 'refs/heads/main' },
      filesWithConflicts: ['a.txt'],
      diff: expect.stringContaining('+two\n'),
    })
    expect(await send(owner, `/discussions/${num}/merge`)).toMatchObject({
      status: 409,
      body: { paths: ['a.txt'] },
    })
    expect((await call(reader, 'GET', `/discussions/${num}`)).body).not.toHaveProperty('diff')
  })

  test('the difference is kept from those who have no access to the files', async () => {
    const num = await givenPullRequest(world, owner, repo, { 'u.txt': 'secret' })
    await updateRepo(world.ctx(owner), repo, { gated: 'manual' })
    const shown = await call(reader, 'GET', `/discussions/${num}?diff=1`)
    expect(shown.status).toBe(200)
    expect(shown.body).not.toHaveProperty('diff')
    await updateRepo(world.ctx(owner), repo, { gated: null })
    expect((await call(reader, 'GET', `/discussions/${num}?diff=1`)).body['diff']).toContain('secret')
  })

  test('entries of an account that is gone have no author', async () => {
    const num = await givenDiscussion(world, reader, repo)
    await world.db.write(({ q, t }) => q.update(t.discussion_events).set({ author_id: null }))
    const { body } = await call(reader, 'GET', `/discussions/${num}`)
    expect((body['events'] as object[])[0]).not.toHaveProperty('author')
  })

  describe('bodies that clients leave out or fill with null', () => {
    test.each([undefined, '', 'null', '{}', '{"comment":null}'])('merge with %s', async (body) => {
      const num = await givenPullRequest(world, reader, repo, { [`m${String(body).length}`]: 'm' })
      expect((await call(owner, 'POST', `/discussions/${num}/merge`, body)).status).toBe(200)
      expect((await call(owner, 'GET', `/discussions/${num}`)).body).toMatchObject({
        status: 'merged',
        changes: { mergeCommitId: expect.stringMatching(/^[0-9a-f]{40}$/) },
      })
    })
  })

  test.each([
    ['GET', '/discussions?p=-1', 400],
    ['GET', '/discussions?p=x', 400],
    ['GET', '/discussions?type=nothing', 400],
    ['GET', '/discussions?status=merged', 400],
    ['GET', '/discussions?author=a%00b', 400],
    ['GET', '/discussions?p=99999', 200],
    ['GET', '/discussions/0', 404],
    ['GET', '/discussions/1e1', 404],
    ['GET', '/discussions/99999999999', 404],
  ])('%s %s is %i', async (method, path, status) => {
    expect((await call(reader, method, path)).status).toBe(status)
  })
})
