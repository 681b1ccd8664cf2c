import { beforeAll, expect, test } from 'vitest'
import { anonymous, type UserActor } from '../../../core/access/index.ts'
import { givenCommit as givenBareCommit } from '../../../core/git/testing.ts'
import { eachDatabase, givenRepo, givenUser } from '../../../testing.ts'
import type { Repo } from '../../repos/index.ts'
import { givenObject } from '../../uploads/testing.ts'
import { add, givenCommit } from '../testing.ts'
import { getBlame } from './blame.ts'

eachDatabase('blame of a file', (world) => {
  let ada: UserActor
  let repo: Repo
  beforeAll(async () => {
    ada = await givenUser(world, 'ada')
    repo = await givenRepo(world, ada, { visibility: 'public' })
  })
  const blame = (path: string, { actor = ada, of = repo, revision = 'main' } = {}) =>
    getBlame(world.ctx(actor), of, { revision, path })

  test('lines come with their commits, who made them, and when', async () => {
    const first = await givenCommit(world, ada, repo, [add('a.txt', 'one\ntwo\n')], { title: 'Begin' })
    const long = `${'x'.repeat(199)}😀${'y'.repeat(200)}`
    // Made elsewhere: no account here is known for it.
    const second = await givenBareCommit(world, repo.id, { puts: { 'a.txt': 'one\n2\n' }, message: long })
    const found = await blame('a.txt')
    expect(found).toMatchObject({
      commit: second,
      path: 'a.txt',
      lineCount: 2,
      isTruncated: false,
      ranges: [
        { start: 1, count: 1, commit: first.commit },
        { start: 2, count: 1, commit: second, previous: { commit: first.commit, path: 'a.txt' } },
      ],
    })
    const [byAda, bare] = found.commits
    expect(byAda).toMatchObject({ sha: first.commit, title: 'Begin', userId: ada.id, isBoundary: false })
    expect(byAda?.committedAt).toBeInstanceOf(Date)
    expect(bare).toMatchObject({ sha: second, title: `${'x'.repeat(199)}…`, author: 'Ada' })
    expect(bare).not.toHaveProperty('userId')
  })

  test('files without lines say why', async () => {
    const object = await givenObject(world, ada, repo)
    await givenCommit(world, ada, repo, [
      { op: 'add', path: 'bin', content: Buffer.from([0, 1]) },
      { op: 'add', path: 'long', content: Buffer.alloc(1024 * 1024 + 1, 'x') },
      { op: 'add-lfs', path: 'large', sha256: object.sha256, sizeBytes: object.sizeBytes },
    ])
    const reasonOf = (path: string) =>
      blame(path).then(
        () => 'none',
        ({ code, members }) => [code, members.reason],
      )
    expect(await reasonOf('bin')).toEqual(['no-blame', 'binary'])
    expect(await reasonOf('long')).toEqual(['no-blame', 'too-large'])
    expect(await reasonOf('large')).toEqual(['no-blame', 'large-file'])
  })

  test('what is not there is refused, as are those who may not read the files', async () => {
    await givenCommit(world, ada, repo, [add('dir/a.txt')])
    const gated = await givenRepo(world, ada, { visibility: 'public', gated: 'manual' })
    await givenCommit(world, ada, gated, [add('a.txt')])
    const hidden = await givenRepo(world, ada, { visibility: 'private' })
    await givenCommit(world, ada, hidden, [add('a.txt')])
    const bob = await givenUser(world, 'bob')
    const codeOf = (asked: Promise<unknown>) => asked.then(String, ({ code }) => String(code))
    expect(await codeOf(blame('gone.txt'))).toBe('entry-not-found')
    expect(await codeOf(blame('dir'))).toBe('entry-not-found')
    expect(await codeOf(blame('dir/a.txt', { revision: 'gone' }))).toBe('revision-not-found')
    expect(await codeOf(blame('a.txt', { of: gated, actor: bob }))).toBe('gated')
    expect(await codeOf(blame('a.txt', { of: hidden, actor: bob }))).toBe('repo-not-found')
    const visitor = getBlame(world.ctx(anonymous), repo, { revision: '', path: 'dir/a.txt' })
    expect(await codeOf(visitor)).toBe('unauthenticated')
    expect(await blame('dir/a.txt', { actor: bob, revision: '' })).toMatchObject({ lineCount: 1 })
  })
})
