import { expect, test } from 'vitest'
import { formatPointer } from '../lfs/index.ts'
import { eachDatabase } from '../../testing.ts'
import { CommitBuilder } from './commit-builder.ts'
import { commit } from './commit.ts'
import { checkMerge, knownMerge, merge, type MergedFile } from './merge.ts'
import { givenCommit, givenEmptyRepo, gitText } from './testing.ts'
import { withSkeleton } from './runner/skeleton.ts'

const lines = (first: string, last: string) => `${first}\n2\n3\n4\n5\n6\n7\n${last}\n`
const pointer = (digit: string) => formatPointer({ sha256: digit.repeat(64), sizeBytes: 5 }).toString('utf8')
const PR = 'refs/pr/1'

eachDatabase('merge', (world) => {
  const open = (repoId: string) => world.deps.git.openFresh(repoId)

  /** A base that both sides have left with these changes; either may be none. */
  async function parted(
    start: Record<string, string>,
    ours: Parameters<typeof givenCommit>[2] | undefined,
    theirs: Parameters<typeof givenCommit>[2],
  ) {
    const repoId = await givenEmptyRepo(world)
    const from = await givenCommit(world, repoId, { puts: start })
    const base = ours ? await givenCommit(world, repoId, ours) : from
    const head = await givenCommit(world, repoId, { ref: PR, base: from, ...theirs })
    return { repoId, from, base, head }
  }

  async function mergeOf({ repoId, base, head }: { repoId: string; base: string; head: string }) {
    const taken: MergedFile[] = []
    const found = await merge(
      world.deps.git,
      await open(repoId),
      { base, head },
      (file) => void taken.push(file),
    )
    const texts = taken.map((file): [string, string | undefined] => [
      file.path,
      'isDeleted' in file ? 'gone' : file.content?.toString(),
    ])
    return { ...found, changes: Object.fromEntries(texts) }
  }

  test('a head that stands on the base brings what it changes, without asking git', async () => {
    const sides = await parted({ a: 'a', b: 'b' }, undefined, { puts: { 'c/d': 'd' }, deletes: ['b'] })
    expect(await mergeOf(sides)).toEqual({
      mergeBase: sides.base,
      isClean: true,
      conflicts: [],
      changes: { 'c/d': undefined, b: 'gone' },
    })
  })

  test('a merge that takes longer than it may is ended', async () => {
    const long = (side: string, nth: number) =>
      Array.from({ length: 40_000 }, (_, i) => (i % 4 === nth ? `${side} ${i}\n` : `${i}\n`)).join('')
    const { repoId, base, head } = await parted(
      { a: long('', 4) },
      { puts: { a: long('ours', 1) } },
      { puts: { a: long('theirs', 3) } },
    )
    const late = merge(world.deps.git, await open(repoId), { base, head }, undefined, 2)
    await expect(late).rejects.toMatchObject({ name: 'GitFailed', code: -1 })
  })

  test('a base that has the head already is left as it is', async () => {
    const repoId = await givenEmptyRepo(world)
    const head = await givenCommit(world, repoId, { puts: { a: 'a' } })
    const base = await givenCommit(world, repoId, { puts: { b: 'b' } })
    const nothing = { mergeBase: head, isClean: true, conflicts: [], changes: {} }
    expect(await mergeOf({ repoId, base, head })).toEqual(nothing)
    expect(await mergeOf({ repoId, base, head: base })).toEqual({ ...nothing, mergeBase: base })
  })

  test('lines apart from each other come together, and the text is new', async () => {
    const sides = await parted(
      { song: lines('1', '8'), other: 'x' },
      { puts: { song: lines('1', 'eight') } },
      { puts: { song: lines('one', '8') } },
    )
    expect(await mergeOf(sides)).toEqual({
      mergeBase: sides.from,
      isClean: true,
      conflicts: [],
      changes: { song: lines('one', 'eight') },
    })
  })

  test.each([
    [
      'the same line',
      { f: lines('1', '8') },
      { puts: { f: lines('x', '8') } },
      { puts: { f: lines('y', '8') } },
      ['f'],
    ],
    [
      'a deletion of what the other changes',
      { f: 'f', g: 'g' },
      { deletes: ['f'] },
      { puts: { f: 'new' } },
      ['f'],
    ],
    ['two files of one new name', { g: 'g' }, { puts: { 'ü b': '1' } }, { puts: { 'ü b': '2' } }, ['ü b']],
    [
      'large files of two contents',
      { w: pointer('a') },
      { puts: { w: pointer('b') } },
      { puts: { w: pointer('c') } },
      ['w'],
    ],
    [
      'parts of two pointers, which belong to no file',
      { w: `${pointer('a')}\n\n\n\n\n\n\nend\n` },
      { puts: { w: `${pointer('b')}\n\n\n\n\n\n\nend\n` } },
      { puts: { w: `${pointer('a')}\n\n\n\n\n\n\nEND\n` } },
      ['w'],
    ],
  ])('conflict: %s', async (_, start, ours, theirs, conflicts) => {
    const sides = await parted(start, ours, theirs)
    expect(await mergeOf(sides)).toMatchObject({ isClean: false, conflicts, mergeBase: sides.from })
  })

  test('without common history they merge from nothing', async () => {
    const repoId = await givenEmptyRepo(world)
    const base = await givenCommit(world, repoId, { puts: { a: 'a' } })
    const builder = new CommitBuilder(world.deps.git, repoId)
    await builder.putBytes('b', Buffer.from('b'))
    const author = { name: 'Ada', email: 'a@b', at: new Date(0), tzMinutes: 0 }
    const made = await commit(world.deps.git, builder, {
      ref: PR,
      base: null,
      author,
      message: 'x',
      via: 'api',
    })
    await builder.dispose()
    const head = 'sha' in made ? made.sha : ''
    const found = await mergeOf({ repoId, base, head })
    expect(found).toEqual({ isClean: true, conflicts: [], changes: { b: undefined } })
  })

  test('a verdict is remembered', async () => {
    const { repoId, ...sides } = await parted({ f: 'f' }, { puts: { g: 'g' } }, { puts: { h: 'h' } })
    expect(knownMerge(world.deps.git, repoId, sides)).toBeUndefined()
    const found = await checkMerge(world.deps.git, await open(repoId), sides)
    expect(knownMerge(world.deps.git, repoId, sides)).toBe(found)
  })

  test('what is merged is the tree that git makes', async () => {
    const { repoId, base, head } = await parted(
      { 'a/x': lines('1', '8'), 'a/y': 'y', 'b/z': 'z', top: 't' },
      { puts: { 'a/x': lines('1', 'H'), 'c/new': 'n' }, deletes: ['b/z'] },
      { puts: { 'a/x': lines('A', '8'), 'a/y': 'Y', 'd/e/f': 'f' }, deletes: ['top'] },
    )
    const { git } = world.deps
    const builder = new CommitBuilder(git, repoId)
    const author = { name: 'Ada', email: 'a@b', at: new Date(0), tzMinutes: 0 }
    const result = await commit(git, builder, {
      ref: 'refs/heads/main',
      author,
      message: 'merge',
      via: 'merge',
      furtherParents: [head],
      adapt: async (snapshot) => {
        await merge(git, snapshot, { base, head }, async (file) => {
          if ('isDeleted' in file) builder.delete(file.path)
          else if (file.content) await builder.putBytes(file.path, file.content, file.mode)
          else builder.putBlob(file.path, file)
        })
      },
    })
    await builder.dispose()
    const sha = 'sha' in result ? result.sha : expect.fail(JSON.stringify(result))
    await withSkeleton(git, await open(repoId), async (dir) => {
      expect(await gitText(dir, ['rev-parse', `${sha}^{tree}`])).toBe(
        await gitText(dir, ['merge-tree', '--write-tree', base, head]),
      )
      expect(await gitText(dir, ['log', '-1', '--format=%P', sha])).toBe(`${base} ${head}`)
      expect(await gitText(dir, ['fsck', '--strict', '--full', '--no-dangling'])).toBe('')
    })
  })
})
