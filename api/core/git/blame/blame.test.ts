import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { eachDatabase, type World } from '../../../testing.ts'
import { exportRepository } from '../export.ts'
import { givenCommit, givenEmptyRepo, gitText } from '../testing.ts'
import { blameFile } from './blame.ts'
import type { Blame } from './found-blame.ts'

type Change = Parameters<typeof givenCommit>[2]

/** Numbered lines, each with its newline. */
const lines = (n: number, text = 'line') => Array.from({ length: n }, (_, i) => `${text} ${i}\n`).join('')

async function blameOf(world: World, repoId: string, sha: string, path: string) {
  const { git } = world.deps
  const snapshot = await git.open(repoId)
  const entry = (await snapshot.entryAt(sha, path)) ?? expect.fail(`no ${path}`)
  return blameFile(git, snapshot, { sha, path, oid: entry.oid })
}

async function linesOf(world: World, repoId: string, sha: string, path: string): Promise<Blame> {
  const found = await blameOf(world, repoId, sha, path)
  return typeof found === 'string' ? expect.fail(found) : found
}

/** What the blame says of each line. */
const perLine = ({ ranges }: Blame) =>
  ranges.flatMap(({ start, count, commit, originalStart, originalPath, previous }) =>
    Array.from({ length: count }, (_, i) => ({
      line: start + i,
      commit,
      original: originalStart + i,
      path: originalPath,
      previous: previous && `${previous.commit} ${previous.path}`,
    })),
  )

let clones = 0

/** The same as a clone's own git says it. */
async function perLineByGit(world: World, repoId: string, sha: string, path: string) {
  const dir = join(world.dir, `clone-${++clones}.git`)
  await exportRepository(world.deps.git, repoId, dir)
  const said = await gitText(dir, ['blame', '--line-porcelain', sha, '--', path])
  return said
    .split(/\n\t[^\n]*\n?/)
    .filter(Boolean)
    .map((head) => {
      const [commit, original, line] = head.split(/[ \n]/)
      return {
        line: Number(line),
        commit,
        original: Number(original),
        path: /^filename (.*)$/m.exec(head)?.[1],
        previous: /^previous (.*)$/m.exec(head)?.[1],
      }
    })
}

async function agreesWithGit(world: World, repoId: string, sha: string, path: string): Promise<Blame> {
  const found = await linesOf(world, repoId, sha, path)
  const byGit = await perLineByGit(world, repoId, sha, path)
  expect(perLine(found)).toEqual(byGit)
  expect(found).toMatchObject({ lineCount: byGit.length, isTruncated: false })
  return found
}

eachDatabase('blame', (world) => {
  async function history(changes: Change[]) {
    const repoId = await givenEmptyRepo(world)
    const shas: string[] = []
    for (const change of changes) shas.push(await givenCommit(world, repoId, change))
    return { repoId, shas, head: shas.at(-1) ?? '' }
  }

  test('each line has the commit that wrote it, and where the file was before', async () => {
    const { repoId, shas, head } = await history([
      { puts: { 'a.txt': lines(6) } },
      { puts: { 'a.txt': lines(6).replace('line 2', 'LINE 2').replace('line 3', 'LINE 3') } },
      { puts: { 'other.txt': 'x\n' } },
    ])
    const { ranges } = await agreesWithGit(world, repoId, head, 'a.txt')
    const [first, second] = shas
    const path = 'a.txt'
    expect(ranges).toEqual([
      { start: 1, count: 2, commit: first, originalStart: 1, originalPath: path },
      {
        start: 3,
        count: 2,
        commit: second,
        originalStart: 3,
        originalPath: path,
        previous: { commit: first, path },
      },
      { start: 5, count: 2, commit: first, originalStart: 5, originalPath: path },
    ])
  })

  test('renames are followed, whatever the names have in them', async () => {
    const names = ['a\tb "c".txt', 'dir/übung \\ 1.txt', 'new.txt']
    const [first = '', second = '', third = ''] = names
    const { repoId, shas, head } = await history([
      { puts: { [first]: lines(40) } },
      { puts: { [second]: `${lines(40)}more\n` }, deletes: [first] },
      { puts: { [third]: `top\n${lines(40)}more\n` }, deletes: [second] },
    ])
    expect((await linesOf(world, repoId, head, third)).ranges).toEqual([
      {
        start: 1,
        count: 1,
        commit: shas[2],
        originalStart: 1,
        originalPath: third,
        previous: { commit: shas[1], path: second },
      },
      { start: 2, count: 40, commit: shas[0], originalStart: 1, originalPath: first },
      {
        start: 42,
        count: 1,
        commit: shas[1],
        originalStart: 41,
        originalPath: second,
        previous: { commit: shas[0], path: first },
      },
    ])
  })

  test('lines that a merge has brought keep their own commit', async () => {
    const repoId = await givenEmptyRepo(world)
    const base = await givenCommit(world, repoId, { puts: { a: lines(9) } })
    const ours = await givenCommit(world, repoId, { puts: { a: lines(9).replace('line 0', 'OURS') } })
    const theirs = await givenCommit(world, repoId, {
      ref: 'refs/heads/side',
      base,
      puts: { a: lines(9).replace('line 8', 'THEIRS') },
    })
    const merged = lines(9).replace('line 0', 'OURS').replace('line 8', 'THEIRS').replace('line 4', 'BOTH')
    const head = await givenCommit(world, repoId, { puts: { a: merged }, furtherParents: [theirs] })
    const { ranges } = await agreesWithGit(world, repoId, head, 'a')
    expect(ranges.map(({ commit, count }) => [commit, count])).toEqual([
      [ours, 1],
      [base, 3],
      [head, 1],
      [base, 3],
      [theirs, 1],
    ])
  })

  test.each([
    ['line ends of Windows', 'one\r\ntwo\r\nthree\r\n', 'one\r\nTWO\r\nthree\r\n', 3],
    ['line ends that have changed', 'one\ntwo\n', 'one\r\ntwo\n', 2],
    ['no newline at the end', 'one\ntwo', 'one\ntwo\nthree', 3],
    ['a newline that came to the end', 'one\ntwo', 'one\ntwo\n', 2],
    ['empty lines', '\n\n', '\n\n\na\n', 4],
    ['bytes that are no UTF-8', 'caf\u00e9\n', '\ufffd\ncaf\u00e9\n', 2],
  ])('as git says it: %s', async (_, before, after, count) => {
    const { repoId, head } = await history([{ puts: { a: before } }, { puts: { a: after } }])
    expect(perLine(await agreesWithGit(world, repoId, head, 'a'))).toHaveLength(count)
  })

  test('any history of edits, renames and merges is traced as a clone does it', async () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'c', 'd', ''), { maxLength: 8 })
      .chain((some) => fc.constantFrom('\n', '\r\n').map((end) => some.join(end)))
    const step = fc.record({
      text,
      isMerge: fc.boolean(),
      onSide: fc.boolean(),
      path: fc.constantFrom('f.txt', 'g.txt'),
    })
    const holds = async (steps: { text: string; isMerge: boolean; onSide: boolean; path: string }[]) => {
      const repoId = await givenEmptyRepo(world)
      const heads = { main: '', side: '' }
      const base = await givenCommit(world, repoId, { puts: { 'f.txt': lines(5), 'g.txt': lines(5) } })
      heads.main = heads.side = base
      for (const [i, { text: own, isMerge, onSide, path }] of steps.entries()) {
        const [here, there] = onSide ? (['side', 'main'] as const) : (['main', 'side'] as const)
        heads[here] = await givenCommit(world, repoId, {
          ref: `refs/heads/${here}`,
          base: heads[here],
          puts: { [path]: `${own}\n${i}` },
          at: new Date(1.7e12 + i * 1000),
          ...(isMerge && heads[there] !== heads[here] ? { furtherParents: [heads[there]] } : {}),
        })
      }
      for (const sha of new Set([heads.main, heads.side]))
        for (const path of ['f.txt', 'g.txt']) await agreesWithGit(world, repoId, sha, path)
    }
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), holds), { numRuns: 6 })
  }, 120_000)

  test('a mirror whose history ends early gives its oldest commit what came before', async () => {
    const { repoId, shas, head } = await history([
      { puts: { a: 'one\n' } },
      { puts: { a: 'one\ntwo\n' } },
      { puts: { a: 'one\ntwo\nthree\n' } },
    ])
    const { git } = world.deps
    const snapshot = await git.open(repoId)
    const shallow = snapshot.readBy(snapshot.reader, new Set([shas[1] ?? '']))
    const oid = (await snapshot.entryAt(head, 'a'))?.oid ?? ''
    const commitsOf = (found: Awaited<ReturnType<typeof blameFile>>) =>
      typeof found === 'string' ? found : found.ranges.map(({ commit, count }) => [commit, count])
    const file = { sha: head, path: 'a', oid }
    expect(commitsOf(await blameFile(git, snapshot, file))).toEqual(shas.map((sha) => [sha, 1]))
    expect(commitsOf(await blameFile(git, shallow, file))).toEqual([
      [shas[1], 2],
      [shas[2], 1],
    ])
  })

  test('of a longer file the first 20 000 lines are traced', async () => {
    const { repoId, head } = await history([{ puts: { a: lines(20_001, '') } }])
    expect(await linesOf(world, repoId, head, 'a')).toMatchObject({
      lineCount: 20_001,
      isTruncated: true,
      ranges: [{ start: 1, count: 20_000 }],
    })
  })

  test('an empty file has no lines; one that is binary or too large is said to be so', async () => {
    const puts = { empty: '', binary: 'a\0b', large: 'x'.repeat(1024 * 1024 + 1) }
    const { repoId, head } = await history([{ puts }])
    const found = await Promise.all(Object.keys(puts).map((path) => blameOf(world, repoId, head, path)))
    expect(found).toEqual([{ ranges: [], lineCount: 0, isTruncated: false }, 'binary', 'too-large'])
  })

  test('what git says at greater length than is read for a page is not traced', async () => {
    const path = `${Array.from({ length: 4 }, () => 'x'.repeat(250)).join('/')}.txt`
    const other = lines(20_000, '').replaceAll(/(.*\n)(.*)\n/g, '$1$2 changed\n')
    const { repoId, head } = await history([
      { puts: { [path]: lines(20_000, '') } },
      { puts: { [path]: other } },
    ])
    expect(await blameOf(world, repoId, head, path)).toBe('takes-too-long')
  })

  test('one that has gone ends what was asked for them alone', async () => {
    const { git } = world.deps
    const { repoId, head } = await history([{ puts: { a: lines(20) } }])
    const snapshot = await git.open(repoId)
    const oid = (await snapshot.entryAt(head, 'a'))?.oid ?? ''
    const gone = snapshot.readFor({ signal: AbortSignal.abort(new Error('the caller has gone')) })
    await expect(blameFile(git, gone, { sha: head, path: 'a', oid })).rejects.toThrow('the caller has gone')
    expect(await blameFile(git, snapshot, { sha: head, path: 'a', oid })).toMatchObject({ lineCount: 20 })
  })
})
