import { expect, test } from 'vitest'
import { eachDatabase, type World } from '../../../testing.ts'
import { askGit } from './ask-git.ts'
import { diffCommit } from './diff.ts'
import { diffFile, MAX_DIFF_BYTES } from './file-diff.ts'
import type { FileChange } from './file-change.ts'
import { givenCommit, givenEmptyRepo } from '../testing.ts'

const lines = (n: number) => Array.from({ length: n }, (_, i) => `line ${i}\n`).join('')

async function filesOf(world: World, repoId: string, sha: string): Promise<FileChange[]> {
  const { git } = world.deps
  return (await diffCommit(git, await git.open(repoId), sha))?.files ?? expect.fail('no such commit')
}

eachDatabase('diff', (world) => {
  test('names what a commit added, changed, deleted and renamed, with lines counted', async () => {
    const repoId = await givenEmptyRepo(world)
    const first = await givenCommit(world, repoId, {
      puts: { 'a/keep': 'k\n', 'a/old': lines(50), gone: 'x\ny\n', text: lines(9) },
    })
    const puts = {
      'b/new ü': `${lines(50)}more\n`,
      text: lines(9).replace('line 4', 'LINE 4'),
      'n\u00fcll': 'a\0b',
    }
    const second = await givenCommit(world, repoId, { puts, deletes: ['a/old', 'gone'] })
    const sides = { old: expect.anything(), new: expect.anything() }
    const changes = await filesOf(world, repoId, second)
    expect(changes).toEqual([
      {
        ...sides,
        path: 'b/new ü',
        oldPath: 'a/old',
        status: 'renamed',
        isBinary: false,
        additions: 1,
        deletions: 0,
      },
      { old: sides.old, path: 'gone', status: 'deleted', isBinary: false, additions: 0, deletions: 2 },
      { new: sides.new, path: 'nüll', status: 'added', isBinary: true },
      { ...sides, path: 'text', status: 'modified', isBinary: false, additions: 1, deletions: 1 },
    ])
    expect((await filesOf(world, repoId, first)).map(({ path, status }) => `${status} ${path}`)).toEqual([
      'added a/keep',
      'added a/old',
      'added gone',
      'added text',
    ])
  })

  test('a git that says more than a reader is given is not heard out; one that fails is a failure', async () => {
    const { git } = world.deps
    const repoId = await givenEmptyRepo(world)
    const sha = await givenCommit(world, repoId, { puts: { text: lines(20) } })
    const snapshot = await git.open(repoId)
    expect(await askGit(git, snapshot, ['cat-file', 'commit', sha], 10)).toBe('too-much')
    const failing = askGit(git, snapshot, ['cat-file', 'commit', '0'.repeat(40)], 10)
    await expect(failing).rejects.toMatchObject({ name: 'GitFailed', code: 128 })
    const gone = snapshot.readFor({ signal: AbortSignal.abort(new Error('the caller has gone')) })
    await expect(askGit(git, gone, ['cat-file', 'commit', sha], 1000)).rejects.toThrow('the caller has gone')
  })

  test('a file is compared line by line', async () => {
    const { git } = world.deps
    const repoId = await givenEmptyRepo(world)
    await givenCommit(world, repoId, { puts: { text: lines(20), gone: 'x\ny' } })
    const sha = await givenCommit(world, repoId, {
      puts: { text: lines(20).replace('line 9\n', ''), come: 'one\n', empty: '' },
      deletes: ['gone'],
    })
    const snapshot = await git.open(repoId)
    const diffs = new Map<string, Awaited<ReturnType<typeof diffFile>>>()
    for (const change of await filesOf(world, repoId, sha))
      diffs.set(change.path, await diffFile(git, snapshot, change))
    const context = [6, 7, 8, 10, 11, 12].map((i) => ({ kind: 'context', text: `line ${i}` }))
    context.splice(3, 0, { kind: 'delete', text: 'line 9' })
    expect(diffs.get('text')?.hunks).toEqual([
      { oldStart: 7, oldLines: 7, newStart: 7, newLines: 6, lines: context },
    ])
    expect([diffs.get('text'), diffs.get('come')].map((diff) => diff?.totalLines)).toEqual([19, undefined])
    expect(diffs.get('come')?.hunks).toEqual([
      { oldStart: 0, oldLines: 0, newStart: 1, newLines: 1, lines: [{ kind: 'add', text: 'one' }] },
    ])
    expect(diffs.get('gone')?.hunks).toMatchObject([{ oldStart: 1, oldLines: 2, newStart: 0, newLines: 0 }])
    expect(diffs.get('empty')?.hunks).toEqual([])
  })

  test('white space is ignored when asked, and all numbers of lines stay those of the files', async () => {
    const { git } = world.deps
    const repoId = await givenEmptyRepo(world)
    const before = 'def f():\n  a = 1\n  b = 2\n  return a\n'
    await givenCommit(world, repoId, { puts: { 'a.py': before, 'b.py': before, 'old.py': before } })
    const after = before.replaceAll('  ', '\t')
    const puts = {
      'a.py': after,
      'b.py': `# f\n${after.replace('2', '3')}`,
      'new.py': before,
      'x\ty.py': '1\n',
    }
    const sha = await givenCommit(world, repoId, { puts, deletes: ['old.py'] })
    const snapshot = await git.open(repoId)
    const counts = async (ignoresWhitespace: boolean) => {
      const found = await diffCommit(git, snapshot, sha, { ignoresWhitespace })
      expect(found).toMatchObject({ isTruncated: false, isUncounted: false })
      return found?.files.map(({ path, additions, deletions }) => [path, additions, deletions])
    }
    const plain = [
      ['a.py', 3, 3],
      ['b.py', 4, 3],
      ['new.py', 0, 0],
      ['x\ty.py', 1, 0],
    ]
    expect(await counts(false)).toEqual(plain)
    expect(await counts(true)).toEqual(plain.with(0, ['a.py', 0, 0]).with(1, ['b.py', 2, 1]))
    expect(await counts(false)).toEqual(plain)

    const [first, second] = await filesOf(world, repoId, sha)
    const diff = (file: FileChange | undefined, ignoresWhitespace: boolean) =>
      diffFile(git, snapshot, file ?? expect.fail('not changed'), { ignoresWhitespace })
    expect(await diff(first, true)).toMatchObject({ hunks: [] })
    expect(await diff(first, false)).toMatchObject({ hunks: [{ newLines: 4 }], totalLines: 4 })
    expect((await diff(second, true)).hunks).toEqual([
      {
        oldStart: 1,
        oldLines: 4,
        newStart: 1,
        newLines: 5,
        lines: [
          { kind: 'add', text: '# f' },
          { kind: 'context', text: 'def f():' },
          { kind: 'context', text: '\ta = 1' },
          { kind: 'delete', text: '  b = 2' },
          { kind: 'add', text: '\tb = 3' },
          { kind: 'context', text: '\treturn a' },
        ],
      },
    ])
  })

  test('pointers, binary and large files have no lines', async () => {
    const { git } = world.deps
    const repoId = await givenEmptyRepo(world)
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 7\n`
    const puts = {
      'm.bin': pointer,
      'b.bin': 'a\0b',
      'big.txt': 'x'.repeat(MAX_DIFF_BYTES + 1),
      'long.txt': '\n'.repeat(20_001),
    }
    const sha = await givenCommit(world, repoId, { puts })
    const snapshot = await git.open(repoId)
    const seen: Record<string, unknown> = {}
    const listed = await diffCommit(git, snapshot, sha)
    expect(listed).toMatchObject({ isTruncated: false, isUncounted: true })
    for (const change of listed?.files ?? []) {
      seen[change.path] = {
        ...(await diffFile(git, snapshot, change)),
        sizeBytes: change.new?.facts?.pointer?.sizeBytes,
        additions: change.additions,
      }
    }
    const none = { hunks: [], isBinary: false, isTooLarge: false, sizeBytes: undefined, additions: undefined }
    expect(seen).toEqual({
      'm.bin': { ...none, sizeBytes: 7 },
      'b.bin': { ...none, isBinary: true },
      'big.txt': { ...none, isTooLarge: true },
      'long.txt': { ...none, isTooLarge: true, additions: 20_001 },
    })
  })

  test('more content than is compared has its files listed without counting lines, and says so', async () => {
    const { git } = world.deps
    const repoId = await givenEmptyRepo(world)
    const text = (i: number) => `${i}\n${'some words\n'.repeat(80_000)}`
    const puts = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`f${i}`, text(i)]))
    const sha = await givenCommit(world, repoId, { puts })
    const result = await diffCommit(git, await git.open(repoId), sha)
    expect(result).toMatchObject({ isTruncated: false, isUncounted: true })
    expect(result?.files).toHaveLength(20)
    expect(result?.files.every(({ additions }) => additions === undefined)).toBe(true)
  })

  test('what many ask for at once is compared once, and a difference too long is not given', async () => {
    const { git } = world.deps
    const repoId = await givenEmptyRepo(world)
    const text = (word: string) => `${word}\n`.repeat(15_000)
    await givenCommit(world, repoId, { puts: { text: text('one') } })
    const sha = await givenCommit(world, repoId, { puts: { text: text('two') } })
    const snapshot = await git.open(repoId)
    const all = await Promise.all(Array.from({ length: 20 }, () => diffCommit(git, snapshot, sha)))
    expect(new Set(all).size).toBe(1)
    const change = all[0]?.files[0] ?? expect.fail('nothing changed')
    expect(change).toMatchObject({ additions: 15_000, deletions: 15_000 })
    const diffs = await Promise.all(Array.from({ length: 20 }, () => diffFile(git, snapshot, change)))
    expect(new Set(diffs)).toEqual(new Set([{ hunks: [], isBinary: false, isTooLarge: true }]))
  })

  test('a commit of more files than are listed is cut and says so', async () => {
    const { git } = world.deps
    const repoId = await givenEmptyRepo(world)
    const puts = Object.fromEntries(Array.from({ length: 3001 }, (_, i) => [`f${i}`, 'x']))
    const sha = await givenCommit(world, repoId, { puts })
    const result = await diffCommit(git, await git.open(repoId), sha)
    expect({ listed: result?.files.length, isTruncated: result?.isTruncated }).toEqual({
      listed: 3000,
      isTruncated: true,
    })
  })
})
