import { expect, test } from 'vitest'
import { nativeBase } from '../../core/http/surface.ts'
import { mountRepos } from '../repos/handlers.ts'
import { appOf, eachDatabase, givenRepo, givenToken, givenUser } from '../../testing.ts'
import { givenObject } from '../uploads/testing.ts'
import { mountContent } from './handlers.ts'
import { add, givenCommit } from './testing.ts'

eachDatabase('content over HTTP', (world) => {
  let made = 0
  async function given(more = {}) {
    const owner = await givenUser(world, `user${++made}`)
    const repo = await givenRepo(world, owner, more)
    const { secret } = await givenToken(world, owner)
    const app = appOf(world, { native: [mountContent, mountRepos] })
    const call = async (
      method: string,
      path: string,
      body?: unknown,
      bearer: string | undefined = secret,
      name = repo.name,
    ) => {
      const answer = await app.request(`${nativeBase}/repos/models/${owner.username}/${name}${path}`, {
        method,
        headers: {
          ...(bearer === '' ? {} : { Authorization: `Bearer ${bearer}` }),
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await answer.text()
      return {
        status: answer.status,
        headers: answer.headers,
        body: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>,
      }
    }
    return { owner, repo, call, secret }
  }
  const commitOf = (operations: unknown[], more = {}) => ({ title: 'change', operations, ...more })

  test('a commit of text, base64 and a large file is listed, read and compared', async () => {
    const { owner, repo, call } = await given()
    const object = await givenObject(world, owner, repo)
    const made = await call('POST', '/commits', {
      title: 'Add things',
      body: 'Because.',
      operations: [
        { op: 'add', path: 'a b/ü.txt', text: 'hi\n' },
        { op: 'add', path: 'bin', content: Buffer.from([0, 1, 2]).toString('base64') },
        { op: 'add', path: 'm.bin', lfs: { sha256: object.sha256, size: object.sizeBytes } },
      ],
    })
    expect(made).toMatchObject({ status: 201, body: { ref: 'refs/heads/main', changed: true } })
    const sha = String(made.body['commit'])
    expect(made.headers.get('Location')).toMatch(new RegExp(`/commits/${sha}$`))
    expect((await call('GET', '/commits?limit=1')).body).toMatchObject({
      items: [
        {
          sha,
          title: 'Add things',
          body: 'Because.',
          author: { username: owner.username, avatar_url: `/avatars/${owner.username}.svg` },
        },
      ],
    })
    expect((await call('GET', `/commits/${sha}`)).body).toMatchObject({
      total_additions: 1,
      truncated: false,
      files: [
        { path: 'a b/ü.txt', status: 'added', additions: 1, lfs: false, new_size: 3 },
        { path: 'bin', binary: true },
        { path: 'm.bin', lfs: true, new_size: object.sizeBytes },
      ],
    })
    expect(
      (await call('GET', `/commits/${sha}/diff?path=${encodeURIComponent('a b/ü.txt')}`)).body,
    ).toMatchObject({
      status: 'added',
      hunks: [{ new_start: 1, lines: [{ kind: 'add', text: 'hi' }] }],
    })
    expect((await call('GET', '/tree/main')).body).toMatchObject({
      commit: sha,
      kind: 'directory',
      entries: [
        { name: '.gitattributes' },
        { name: 'a b', kind: 'directory', size: 0 },
        { name: 'bin', size: 3 },
        { name: 'm.bin', size: object.sizeBytes, lfs: { sha256: object.sha256 }, last_commit: { sha } },
      ],
    })
    const path = encodeURIComponent('a b/ü.txt')
    expect((await call('GET', `/tree/refs%2Fheads%2Fmain/${path}`)).body).toMatchObject({
      kind: 'file',
      file: { path: 'a b/ü.txt', size: 3, presence: 'present' },
    })
  })

  test('a recursive delete takes files and folders, the other one files alone', async () => {
    const { owner, repo, call } = await given()
    await givenCommit(world, owner, repo, [add('dir/a'), add('dir/b'), add('file'), add('kept/x')])
    const remove = (path: string, more = {}) =>
      call('POST', '/commits', commitOf([{ op: 'delete', path, ...more }]))
    expect((await remove('dir')).status).toBe(422)
    expect((await remove('dir', { recursive: true })).status).toBe(201)
    expect((await remove('file', { recursive: true })).status).toBe(201)
    expect((await remove('dir', { recursive: true })).body).toMatchObject({ code: 'entry-not-found' })
    expect((await call('GET', '/tree/main')).body).toMatchObject({
      entries: [{ name: '.gitattributes' }, { name: 'kept' }],
    })
  })

  test('lists go on where their cursor says, at the commit they began with', async () => {
    const { owner, repo, call } = await given()
    await givenCommit(world, owner, repo, [add('a'), add('b'), add('c')])
    const first = await call('GET', '/tree/main?limit=2')
    await givenCommit(world, owner, repo, [{ op: 'delete', path: 'b' }])
    const cursor = String(first.body['next_cursor'])
    const second = await call('GET', `/tree/main?limit=2&cursor=${cursor}`)
    expect(second.body).toMatchObject({ entries: [{ name: 'b' }, { name: 'c' }], next_cursor: '' })
    expect((await call('GET', `/tree/main?limit=2&recursive=true&cursor=${cursor}`)).body).toMatchObject({
      code: 'invalid-cursor',
    })
    const commits = await call('GET', '/commits?limit=2')
    await givenCommit(world, owner, repo, [add('d')])
    const rest = await call('GET', `/commits?limit=2&cursor=${String(commits.body['next_cursor'])}`)
    expect(rest.body).toMatchObject({ items: [{ title: 'initial commit' }], next_cursor: '' })
  })

  test('branches and tags', async () => {
    const { repo, call } = await given()
    expect(await call('POST', '/branches', { name: 'feat/x' })).toMatchObject({
      status: 201,
      body: { name: 'feat/x', ref: 'refs/heads/feat/x', target_commit: repo.headCommit },
    })
    expect((await call('POST', '/tags', { name: 'v1', message: 'First' })).status).toBe(201)
    expect((await call('GET', '/refs')).body).toMatchObject({
      branches: [{ name: 'feat/x' }, { name: 'main', protected: true }],
      tags: [{ name: 'v1', message: 'First', target_commit: repo.headCommit }],
      pull_requests: [],
      converts: [],
    })
    expect((await call('DELETE', '/branches/feat%2Fx')).status).toBe(204)
    expect((await call('DELETE', '/tags/v1')).status).toBe(204)
    expect((await call('DELETE', '/tags/v1')).body).toMatchObject({ status: 404, code: 'revision-not-found' })
    expect((await call('DELETE', '/branches/main')).body).toMatchObject({
      status: 409,
      code: 'state-conflict',
    })
  })

  test('a repo shows the facts of the branch that has become its default', async () => {
    const { owner, repo, call } = await given()
    await call('POST', '/branches', { name: 'next' })
    const card = '---\nlicense: mit\n---\n'
    await givenCommit(world, owner, repo, [add('README.md', card), add('a')], { branch: 'next' })
    expect((await call('GET', '')).body).toMatchObject({ file_count: 1 })
    const changed = await call('PATCH', '', { default_branch: 'next' })
    expect(changed.body).toMatchObject({ default_branch: 'next', file_count: 3, licence: 'mit' })
    expect((await call('PATCH', '', { default_branch: 'main' })).body).toMatchObject({ file_count: 1 })
  })

  test.each([
    ['no operations', commitOf([]), 422],
    ['an unknown field', commitOf([{ op: 'delete', path: 'a', force: true }]), 422],
    ['an unknown operation', commitOf([{ op: 'chmod', path: 'a' }]), 422],
    ['two contents', commitOf([{ op: 'add', path: 'a', text: 'x', content: 'eA==' }]), 422],
    ['no content', commitOf([{ op: 'add', path: 'a' }]), 422],
    ['what is not base64', commitOf([{ op: 'add', path: 'a', content: 'a*b=' }]), 422],
    ['a blank title', commitOf([{ op: 'add', path: 'a', text: '' }], { title: ' ' }), 422],
    ['a long title', commitOf([{ op: 'add', path: 'a', text: '' }], { title: 'x'.repeat(501) }), 422],
    ['a long body', commitOf([{ op: 'add', path: 'a', text: '' }], { body: 'x'.repeat(65_537) }), 422],
    ['a hostile path', commitOf([{ op: 'add', path: '../../etc/passwd', text: '' }]), 422],
    ['a folder of git', commitOf([{ op: 'add', path: '.Git/hooks/x', text: '' }]), 422],
    ['a bad digest', commitOf([{ op: 'add', path: 'a', lfs: { sha256: 'A'.repeat(64), size: 1 } }]), 422],
    [
      'an object not uploaded',
      commitOf([{ op: 'add', path: 'a', lfs: { sha256: 'a'.repeat(64), size: 1 } }]),
      422,
    ],
    ['a missing file', commitOf([{ op: 'delete', path: 'no' }]), 404],
    ['a missing branch', commitOf([{ op: 'add', path: 'a', text: '' }], { branch: 'none' }), 404],
    ['an old parent', commitOf([{ op: 'add', path: 'a', text: '' }], { parent_commit: 'fffff' }), 409],
    ['a list of lists', [], 422],
  ])('a commit with %s is refused and changes nothing', async (_, body, status) => {
    const { repo, call } = await given()
    const answer = await call('POST', '/commits', body)
    expect(answer.status).toBe(status)
    expect(answer.body).toMatchObject({ status, code: expect.any(String) as unknown })
    expect((await call('GET', '/refs')).body).toMatchObject({
      branches: [{ target_commit: repo.headCommit }],
    })
  })

  test.each([
    ['/tree/no', 404, 'revision-not-found'],
    ['/tree/a..b', 400, 'invalid-revision'],
    ['/tree/main%00', 400, 'invalid-revision'],
    ['/tree/main/no', 404, 'entry-not-found'],
    ['/tree/main/..%2F..%2Fx', 400, 'invalid-path'],
    ['/tree/main/a%00b', 400, 'invalid-path'],
    ['/tree/main?limit=501', 422, 'validation-failed'],
    ['/tree/main?cursor=abc', 400, 'invalid-cursor'],
    ['/commits?rev=no', 404, 'revision-not-found'],
    ['/commits?path=..%2Fx', 400, 'invalid-path'],
    ['/commits/main', 404, 'revision-not-found'],
    ['/commits/HEAD/diff?path=x', 404, 'revision-not-found'],
  ])('GET %s answers %i %s', async (path, status, code) => {
    const { call } = await given()
    expect((await call('GET', path)).body).toMatchObject({ status, code })
  })

  test('a hidden repo and an absent one answer alike on every operation', async () => {
    const { repo, call } = await given()
    const stranger = await givenToken(world, await givenUser(world, `stranger${made}`))
    const missing = (method: string, path: string, body: unknown) =>
      call(method, path, body, stranger.secret, 'no-such-repo')
    const sha = repo.headCommit ?? ''
    const operations: [string, string, unknown?][] = [
      ['GET', '/refs'],
      ['GET', '/commits'],
      ['GET', `/commits/${sha}`],
      ['GET', `/commits/${sha}/diff?path=a`],
      ['GET', '/tree/main'],
      ['GET', '/tree/main/a'],
      ['POST', '/commits', commitOf([{ op: 'add', path: 'a', text: '' }])],
      ['POST', '/branches', { name: 'x' }],
      ['DELETE', '/branches/main'],
      ['POST', '/tags', { name: 'x' }],
      ['DELETE', '/tags/x'],
      ['POST', '/zip'],
    ]
    for (const [method, path, body] of operations) {
      const hidden = await call(method, path, body, stranger.secret)
      expect(hidden.body).toMatchObject({ status: 404, code: 'repo-not-found' })
      const { detail: one } = hidden.body
      const { detail: other, code } = (await missing(method, path, body)).body
      expect([other, code]).toEqual([one, 'repo-not-found'])
    }
  })

  test('a token without the scope may read and not write', async () => {
    const { owner, call } = await given()
    const reader = await givenToken(world, owner, { scopes: ['read'] })
    expect((await call('GET', '/tree/main', undefined, reader.secret)).status).toBe(200)
    const refused = await call('POST', '/branches', { name: 'x' }, reader.secret)
    expect(refused.body).toMatchObject({ status: 403, code: 'insufficient-scope' })
  })

  test('the lines of a file are answered with their commits', async () => {
    const { owner, call } = await given()
    const first = await call('POST', '/commits', commitOf([{ op: 'add', path: 'a b/ü.txt', text: '1\n2\n' }]))
    const then = await call('POST', '/commits', commitOf([{ op: 'add', path: 'a b/ü.txt', text: '1\n3\n' }]))
    const [before, sha] = [first, then].map(({ body }) => String(body['commit']))
    const path = 'a b/ü.txt'
    const at = encodeURIComponent(path)
    const author = { username: owner.username, avatar_url: `/avatars/${owner.username}.svg` }
    expect(await call('GET', `/blame/main/${at}`)).toMatchObject({
      status: 200,
      body: {
        commit: sha,
        path,
        line_count: 2,
        truncated: false,
        ranges: [
          { start: 1, count: 1, commit: before, original_start: 1, original_path: path },
          { start: 2, count: 1, commit: sha, previous: { commit: before, path } },
        ],
        commits: [
          { sha: before, title: 'change', author },
          { sha, author },
        ],
      },
    })
    expect(await call('GET', '/blame/main/a%2F..%2Fb')).toMatchObject({ body: { code: 'invalid-path' } })
    expect(await call('GET', `/blame/a..b/${at}`)).toMatchObject({ body: { code: 'invalid-revision' } })
  })
})
