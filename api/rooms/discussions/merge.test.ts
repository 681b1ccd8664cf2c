import { beforeAll, describe, expect, test } from 'vitest'
import type { UserActor } from '../../core/access/index.ts'
import { createBranch, deleteBranch, getCommit, listCommits } from '../content/index.ts'
import { listMerged } from '../content/read/merged.ts'
import { add, givenCommit, pathsOf, textOf } from '../content/testing.ts'
import { requireRepo, type Repo } from '../repos/index.ts'
import { eachDatabase, givenRepo, givenUser } from '../../testing.ts'
import { diffOfPullRequest, patchOfPullRequest } from './diff.ts'
import { getDiscussion } from './get.ts'
import { mergePullRequest } from './merge.ts'
import { mergeStateOf } from './mergeable.ts'
import { requirePullRequest } from './require.ts'
import { givenDiscussion, givenPullRequest, givenTexts, typesOf } from './testing.ts'
import { updateDiscussion } from './update.ts'

const song = (first: string, last: string) => `${first}\ntwo\nthree\nfour\nfive\nsix\nseven\n${last}\n`

eachDatabase('merging pull requests', (world) => {
  let owner: UserActor
  let reader: UserActor
  let repo: Repo
  beforeAll(async () => {
    owner = await givenUser(world, 'ada')
    reader = await givenUser(world, 'bob')
  })
  const ctx = (actor: UserActor) => world.ctx(actor)
  const headOf = async (ref: string) => (await world.deps.git.openFresh(repo.id)).findRef(ref)?.commit ?? ''
  const stateOf = async (num: number) =>
    mergeStateOf(ctx(reader), repo.id, (await requirePullRequest(world.db, repo, num)).pull)

  async function givenSong(): Promise<void> {
    repo = await givenRepo(world, owner, { visibility: 'public' })
    await givenCommit(world, owner, repo, [add('song.txt', song('one', 'eight')), add('old.txt')])
  }

  test('what stands on its base becomes one commit there, in the name of who opened it', async () => {
    await givenSong()
    const num = await givenPullRequest(world, reader, repo, { 'new.txt': 'new' }, { title: 'Add it' })
    await givenTexts(world, reader, repo, `refs/pr/${num}`, { 'README.md': '---\nlicense: mit\n---\n' })
    const before = await headOf('refs/heads/main')
    const head = await headOf(`refs/pr/${num}`)
    expect(await stateOf(num)).toEqual({ mergeable: 'clean', conflicts: [] })
    const { discussion } = await mergePullRequest(ctx(owner), repo, num, { comment: 'Thanks!' })
    const after = await headOf('refs/heads/main')
    expect(discussion).toMatchObject({
      status: 'closed',
      pull: { merged: { commit: after, base: before, head } },
    })
    const { commit } = await getCommit(ctx(owner), repo, after)
    expect(commit).toMatchObject({
      parents: [before],
      subject: `Add it (#${num})`,
      author: { name: 'bob' },
      committer: { name: 'ada' },
    })
    expect(commit.body).toMatch(/^- Add it \([0-9a-f]{7}\)\n- More of it \([0-9a-f]{7}\)$/)
    expect(await textOf(world, reader, repo, 'new.txt')).toBe('new')
    expect(await requireRepo(ctx(owner), repo, 'repo.read')).toMatchObject({ licence: 'mit', headFiles: 5 })
    expect(await headOf(`refs/pr/${num}`)).toBe(head)
    expect(await typesOf(world, reader, repo, num)).toEqual([
      'comment',
      'commit',
      'commit',
      'comment',
      'merge',
    ])
  })

  test('with the method merge both histories are its parents', async () => {
    await givenSong()
    const num = await givenPullRequest(world, reader, repo, { 'new.txt': 'new' })
    await givenCommit(world, owner, repo, [add('meanwhile.txt')])
    const before = await headOf('refs/heads/main')
    const head = await headOf(`refs/pr/${num}`)
    await mergePullRequest(ctx(owner), repo, num, { method: 'merge', title: 'Bring it in' })
    const { commits } = await listCommits(ctx(owner), repo, { limit: 1 })
    expect(commits[0]).toMatchObject({ parents: [before, head], subject: 'Bring it in' })
    const mergedBy = async (sha: string) => (await listMerged(ctx(reader), repo, sha)).commits
    expect((await mergedBy(commits[0]?.sha ?? '')).map(({ sha }) => sha)).toEqual([head])
    expect(await mergedBy(before)).toEqual([])
    expect(await pathsOf(world, reader, repo)).toEqual(expect.arrayContaining(['new.txt', 'meanwhile.txt']))
  })

  test('both sides of one file go together where their lines are apart', async () => {
    await givenSong()
    const num = await givenPullRequest(world, reader, repo, { 'song.txt': song('uno', 'eight') })
    await givenCommit(world, owner, repo, [add('song.txt', song('one', 'otto'))])
    expect(await stateOf(num)).toEqual({ mergeable: 'clean', conflicts: [] })
    await mergePullRequest(ctx(owner), repo, num)
    expect(await textOf(world, reader, repo, 'song.txt')).toBe(song('uno', 'otto'))
  })

  test('a file that was renamed on the base is changed under its new name', async () => {
    await givenSong()
    const num = await givenPullRequest(world, reader, repo, { 'song.txt': song('uno', 'eight') })
    await givenCommit(world, owner, repo, [{ op: 'rename', from: 'song.txt', to: 'hymn.txt' }])
    await mergePullRequest(ctx(owner), repo, num)
    expect(await textOf(world, reader, repo, 'hymn.txt')).toBe(song('uno', 'eight'))
    expect(await pathsOf(world, reader, repo)).not.toContain('song.txt')
  })

  test('lines that both have changed conflict, are listed, and change nothing until that is solved', async () => {
    await givenSong()
    const num = await givenPullRequest(world, reader, repo, {
      'song.txt': song('uno', 'eight'),
      'fine.txt': 'x',
    })
    await givenCommit(world, owner, repo, [add('song.txt', song('eins', 'eight'))])
    const before = await headOf('refs/heads/main')
    expect(await stateOf(num)).toEqual({ mergeable: 'conflicts', conflicts: ['song.txt'] })
    await expect(mergePullRequest(ctx(owner), repo, num)).rejects.toMatchObject({
      code: 'merge-conflict',
      members: { paths: ['song.txt'] },
    })
    expect(await headOf('refs/heads/main')).toBe(before)
    expect((await getDiscussion(ctx(owner), repo, num)).discussion.status).toBe('open')
    await givenTexts(world, reader, repo, `refs/pr/${num}`, { 'song.txt': song('eins', 'eight') })
    expect(await stateOf(num)).toEqual({ mergeable: 'clean', conflicts: [] })
    await mergePullRequest(ctx(owner), repo, num)
    expect(await textOf(world, reader, repo, 'song.txt')).toBe(song('eins', 'eight'))
    expect(await textOf(world, reader, repo, 'fine.txt')).toBe('x')
  })

  test('its difference is measured from where it left its base, also once it was merged either way', async () => {
    for (const method of ['squash', 'merge'] as const) {
      await givenSong()
      const num = await givenPullRequest(world, reader, repo, {
        'song.txt': song('uno', 'eight'),
        'new.txt': 'n',
      })
      await givenTexts(world, reader, repo, `refs/pr/${num}`, { 'newer.txt': 'n' })
      await givenCommit(world, owner, repo, [add('meanwhile.txt'), add('old.txt', 'other')])
      const look = async () => {
        const { pull } = await requirePullRequest(world.db, repo, num)
        const { change, hunks } = await diffOfPullRequest(ctx(reader), repo, num, { path: 'song.txt' })
        return { patch: await patchOfPullRequest(ctx(reader), repo, pull), status: change.status, hunks }
      }
      const open = await look()
      expect(open.patch).toMatch(/^diff --git a\/new\.txt b\/new\.txt\n/)
      expect(open.patch).toContain('-one\n+uno\n')
      expect(open.patch).toContain('newer.txt')
      expect(open.patch).not.toMatch(/meanwhile|old\.txt/)
      expect(open.hunks[0]?.lines.slice(0, 2)).toEqual([
        { kind: 'delete', text: 'one' },
        { kind: 'add', text: 'uno' },
      ])
      await expect(
        diffOfPullRequest(ctx(reader), repo, num, { path: 'meanwhile.txt' }),
      ).rejects.toMatchObject({
        code: 'entry-not-found',
      })
      await mergePullRequest(ctx(owner), repo, num, { method })
      expect(await look()).toEqual(open)
    }
  })

  describe('is refused', () => {
    test('to those who may not write, its author as well', async () => {
      await givenSong()
      const num = await givenPullRequest(world, reader, repo, { x: 'x' })
      await expect(mergePullRequest(ctx(reader), repo, num)).rejects.toMatchObject({ code: 'forbidden' })
    })

    test('of what is a discussion, closed, merged or without a change', async () => {
      await givenSong()
      const conflict = { code: 'state-conflict' }
      const plain = await givenDiscussion(world, reader, repo)
      await expect(mergePullRequest(ctx(owner), repo, plain)).rejects.toMatchObject(conflict)
      const empty = await givenDiscussion(world, reader, repo, { kind: 'pull_request' })
      await expect(mergePullRequest(ctx(owner), repo, empty)).rejects.toMatchObject(conflict)
      const num = await givenPullRequest(world, reader, repo, { x: 'x' })
      await updateDiscussion(ctx(reader), repo, num, { status: 'closed' })
      await expect(mergePullRequest(ctx(owner), repo, num)).rejects.toMatchObject(conflict)
      await expect(givenTexts(world, reader, repo, `refs/pr/${num}`, { y: 'y' })).rejects.toMatchObject(
        conflict,
      )
      await updateDiscussion(ctx(reader), repo, num, { status: 'open' })
      await mergePullRequest(ctx(owner), repo, num)
      await expect(mergePullRequest(ctx(owner), repo, num)).rejects.toMatchObject(conflict)
      await expect(updateDiscussion(ctx(owner), repo, num, { status: 'open' })).rejects.toMatchObject(
        conflict,
      )
      await expect(givenTexts(world, reader, repo, `refs/pr/${num}`, { y: 'y' })).rejects.toMatchObject(
        conflict,
      )
    })

    test('into a branch that is gone, though it can still be read', async () => {
      await givenSong()
      await createBranch(ctx(owner), repo, { name: 'next', via: 'api' })
      const num = await givenPullRequest(world, reader, repo, { x: 'x' }, { branch: 'next' })
      await deleteBranch(ctx(owner), repo, 'next', 'api')
      expect(await stateOf(num)).toEqual({ mergeable: 'unknown', conflicts: [] })
      await expect(mergePullRequest(ctx(owner), repo, num)).rejects.toMatchObject({ code: 'state-conflict' })
      expect((await diffOfPullRequest(ctx(reader), repo, num, { path: 'x' })).change.status).toBe('added')
    })
  })

  test('twenty merges and commits to the base at once lose nothing', async () => {
    await givenSong()
    const nums: number[] = []
    for (let i = 0; i < 10; i++)
      nums.push(await givenPullRequest(world, reader, repo, { [`pulled/${i}`]: `${i}` }))
    await Promise.all([
      ...nums.map((num) => mergePullRequest(ctx(owner), repo, num)),
      ...nums.map((_, i) => givenCommit(world, owner, repo, [add(`pushed/${i}`)])),
    ])
    const paths = await pathsOf(world, owner, repo)
    expect(paths.filter((path) => /^(pulled|pushed)\//.test(path))).toHaveLength(20)
    const { total } = await listCommits(ctx(owner), repo, { limit: 1 })
    expect(total).toBe(22)
  })
})
