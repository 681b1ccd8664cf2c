import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { eachDatabase, type World } from '../../../testing.ts'
import { lastCommits, listCommits } from './history.ts'
import { lastByGit, listByGit } from './log-fallback.ts'
import { layOut } from '../runner/skeleton.ts'
import { givenCommit, givenEmptyRepo, gitText } from '../testing.ts'

type Step = { ref: string; from: string; puts: Record<string, string>; deletes: string[] }

const path = fc
  .array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 3 })
  .map((parts) => `${parts.join('/')}.txt`)
const branch = fc.constantFrom('main', 'side', 'third')
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    ref: branch,
    from: branch,
    puts: fc.dictionary(path, fc.constantFrom('1', '2', '3'), { minKeys: 1, maxKeys: 3 }),
    deletes: fc.array(path, { maxLength: 2 }),
  }),
  { minLength: 1, maxLength: 14 },
)

/** Commits on branches that fork from one another whenever a new one is named. */
async function play(world: World, repoId: string, all: Step[]): Promise<void> {
  for (const [i, { ref, from, puts, deletes }] of all.entries()) {
    const snapshot = await world.deps.git.open(repoId)
    const name = `refs/heads/${i === 0 ? 'main' : ref}`
    const base = (
      snapshot.findRef(name) ??
      snapshot.findRef(`refs/heads/${from}`) ??
      snapshot.findRef('refs/heads/main')
    )?.commit
    const gone: string[] = []
    for (const file of base === undefined ? [] : deletes) {
      if (!(file in puts) && (await snapshot.entryAt(base ?? '', file))) gone.push(file)
    }
    const at = new Date(1.7e12 + i * 1000)
    await givenCommit(world, repoId, {
      ref: name,
      puts,
      deletes: [...new Set(gone)],
      at,
      ...(base && { base }),
    })
  }
}

async function bareOf(world: World, repoId: string): Promise<string> {
  const dir = join(world.dir, `${repoId}.git`)
  await rm(dir, { recursive: true, force: true })
  await layOut(world.deps.git, await world.deps.git.openFresh(repoId), dir, { mayLink: true })
  return dir
}

async function compareWithGit(world: World, repoId: string): Promise<void> {
  const { git } = world.deps
  const dir = await bareOf(world, repoId)
  const snapshot = await git.open(repoId)
  const log = async (sha: string, rest: string[]) =>
    (await gitText(dir, ['log', '--first-parent', '--format=%H', sha, ...rest])).split('\n').filter(Boolean)
  for (const { commit: sha } of snapshot.listRefs()) {
    const expected = await log(sha, [])
    const all = await listCommits(git, snapshot, { sha, limit: 1000 })
    expect({ shas: all?.commits.map((commit) => commit.sha), total: all?.total }).toEqual({
      shas: expected,
      total: expected.length,
    })
    const shasOf = async (query: { after?: string; offset?: number; path?: string; limit: number }) =>
      (await listCommits(git, snapshot, { sha, ...query }))?.commits.map((commit) => commit.sha)
    expect(await shasOf({ offset: 1, limit: 2 })).toEqual(expected.slice(1, 3))
    for (const [i, after] of expected.entries())
      expect(await shasOf({ after, limit: 2 })).toEqual(expected.slice(i + 1, i + 3))
    expect(await shasOf({ after: '0'.repeat(40), limit: 2 })).toBeUndefined()
    for (const folder of ['', 'a']) {
      const tree = await snapshot.entryAt(sha, folder)
      if (tree?.kind !== 'directory') continue
      const { entries } = await snapshot.listTree(tree.oid, { limit: 100 })
      const names = entries.map((entry) => entry.name)
      const last = await lastCommits(git, snapshot, { sha, dir: folder, names })
      for (const name of names) {
        const file = folder === '' ? name : `${folder}/${name}`
        const byGit = await log(sha, ['--', file])
        expect([name, last.get(name)?.sha]).toEqual([name, byGit[0]])
        const touching = await listCommits(git, snapshot, { sha, path: file, limit: 1000 })
        expect(touching?.commits.map((commit) => commit.sha)).toEqual(byGit)
        expect(touching?.total).toBe(byGit.length)
        const [first = '', ...rest] = byGit
        expect(await shasOf({ path: file, after: first, limit: 1000 })).toEqual(rest)
      }
    }
  }
}

eachDatabase('history', (world) => {
  test('commit lists and last commits are those of git log', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const repoId = await givenEmptyRepo(world)
        await play(world, repoId, all)
        await compareWithGit(world, repoId)
      }),
      { numRuns: 6 },
    )
  })

  test('what is not entered yet is asked of git, with the same answers', async () => {
    const { git } = world.deps
    const repoId = await givenEmptyRepo(world)
    const step = { ref: 'main', from: 'main', deletes: [] }
    const puts = [
      { 'a/x:y.txt': '1', b: '1', 'c\u00e9': '1' },
      { 'a/z.txt': '2' },
      { b: '3', 'a/x:y.txt': '3' },
    ]
    await play(
      world,
      repoId,
      puts.map((each) => ({ ...step, puts: each })),
    )
    const snapshot = await git.open(repoId)
    const sha = snapshot.findRef('refs/heads/main')?.commit ?? expect.fail('no head')
    for (const path of [undefined, 'b', 'a', 'a/x:y.txt', 'nothing'])
      for (const part of [{ limit: 10 }, { offset: 1, limit: 1 }, { after: sha, limit: 1 }]) {
        const asked = { sha, ...part, ...(path ? { path } : {}) }
        expect(await listByGit(git, snapshot, asked)).toEqual(await listCommits(git, snapshot, asked))
      }
    for (const [dir, names] of [
      ['', ['a', 'b', 'c\u00e9', 'none']],
      ['a', ['x:y.txt', 'z.txt']],
    ] as const) {
      const asked = { sha, dir, names: [...names] }
      expect(await lastByGit(git, snapshot, asked)).toEqual(await lastCommits(git, snapshot, asked))
    }
  })

  test('an index that was lost is made again from git', async () => {
    const repoId = await givenEmptyRepo(world)
    const puts = (text: string) => ({ 'a/x.txt': text, 'y.txt': text })
    const change = (ref: string, from: string, text: string): Step => ({
      ref,
      from,
      puts: puts(text),
      deletes: [],
    })
    await play(world, repoId, [
      change('main', 'main', '1'),
      change('side', 'main', '2'),
      change('main', 'main', '3'),
      change('side', 'side', '4'),
    ])
    await world.db.write(async ({ q, t }) => {
      for (const table of [t.git_commits, t.git_chains, t.git_changes])
        await q.delete(table).where(eq(table.repo_id, repoId))
    })
    await compareWithGit(world, repoId)
  })
})
