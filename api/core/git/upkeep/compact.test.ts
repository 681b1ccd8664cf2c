import { and, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { blobKeys, collect, fromChunks } from '../../../stores/storage/index.ts'
import { eachDatabase } from '../../../testing.ts'
import { orphanPacks } from './orphan-packs.ts'
import { compact } from './compact.ts'
import { Git } from '../git.ts'
import { listCommits } from '../history/history.ts'
import { compactWhenDue, gitCompact } from './jobs.ts'
import { withSkeleton } from '../runner/skeleton.ts'
import { givenCommit, givenEmptyRepo } from '../testing.ts'

eachDatabase('compaction', (world) => {
  const sweep = (dryRun = false) =>
    orphanPacks.run(world.ctx(), {
      dryRun,
      signal: new AbortController().signal,
      write: (change) => world.db.write(change),
    })

  test('joins packs, keeps every object, and the old packs go after the grace period', async () => {
    const { git } = world.deps
    const repoId = await givenEmptyRepo(world)
    const shas: string[] = []
    for (let i = 0; i < 6; i++)
      shas.push(await givenCommit(world, repoId, { puts: { [`f${i}`]: `content ${i}`, same: String(i) } }))
    const before = await git.open(repoId)
    expect(before.packs).toHaveLength(6)
    expect(await compact(git, repoId)).toBe(6)
    const after = await git.openFresh(repoId)
    expect(after.packs).toHaveLength(1)
    expect(after.packs[0]?.objects).toBe(6 * 4)
    for (const [i, sha] of shas.entries()) {
      const entry = (await after.entryAt(sha, 'same')) ?? expect.fail('lost')
      expect((await after.readBlob(entry.oid, 100))?.toString()).toBe(String(i))
    }
    expect(await sweep()).toEqual({ deleted: 0 })
    const lost = await before.findCommit(shas[0] ?? '')
    expect(lost?.sha).toBe(shas[0])
    world.clock.now = new Date(world.clock.now.getTime() + world.deps.config.git.pack_grace_period + 1)
    expect(await sweep(true)).toEqual({ due: 6, bytes: expect.any(Number) })
    expect(await sweep()).toEqual({ deleted: 6 })
    const keys: string[] = []
    for await (const { key } of world.blobs.list(`git/${repoId.slice(-2)}/${repoId}/`)) keys.push(key)
    expect(keys).toHaveLength(2)
    const old = (await before.entryAt(shas[3] ?? '', 'f3')) ?? expect.fail('lost')
    expect((await before.readBlob(old.oid, 100))?.toString()).toBe('content 3')
  })

  test('of two compactions at once, one changes nothing', async () => {
    const { git } = world.deps
    const repoId = await givenEmptyRepo(world)
    for (let i = 0; i < 4; i++) await givenCommit(world, repoId, { puts: { a: String(i) } })
    const counts = await Promise.all([compact(git, repoId), compact(git, repoId)])
    expect(counts.sort()).toEqual([0, 4])
    expect((await git.openFresh(repoId)).packs).toHaveLength(1)
  })

  test('of two processes that compact at once, one changes nothing', async () => {
    const repoId = await givenEmptyRepo(world)
    for (let i = 0; i < 4; i++) await givenCommit(world, repoId, { puts: { a: String(i) } })
    const both = [world.deps.git, new Git(world.deps.git.deps)]
    const counts = await Promise.all(both.map((git) => compact(git, repoId)))
    expect(counts.sort()).toEqual([0, 4])
    expect((await world.deps.git.openFresh(repoId)).packs).toHaveLength(1)
    await both[1]?.close()
  })

  /** Jobs that compact the repo; a commit queues others, too. */
  const compactions = (repoId: string) => {
    const { jobs } = world.db.t
    return world.db.q.$count(jobs, and(eq(jobs.repo_id, repoId), eq(jobs.kind, gitCompact.kind)))
  }

  test('a job is queued once the repo has more packs than the threshold, and only one', async () => {
    const repoId = await givenEmptyRepo(world)
    const ctx = world.ctx()
    const threshold = ctx.config.git.compact_threshold
    const due = () => world.db.write((tx) => compactWhenDue(tx, ctx, repoId))
    for (let i = 0; i <= threshold; i++) {
      await givenCommit(world, repoId, { puts: { a: String(i) } })
      await due()
    }
    await due()
    expect(await compactions(repoId)).toBe(1)
  })

  test('a large repo is packed into one with a bitmap, which git goes without once it is damaged', async () => {
    const repoId = await givenEmptyRepo(world)
    const ctx = world.ctx()
    const due = () => world.db.write((tx) => compactWhenDue(tx, ctx, repoId))
    const jobs = () => compactions(repoId)
    const names = Array.from({ length: 5001 }, (_, i) => [`${i % 50}/${i}`, `content ${i}`] as const)
    await givenCommit(world, repoId, { puts: Object.fromEntries(names.slice(0, 4900)) })
    await due()
    expect(await jobs()).toBe(0)
    const tip = await givenCommit(world, repoId, { puts: Object.fromEntries(names.slice(4900)) })
    await due()
    expect(await jobs()).toBe(1)

    const { git } = world.deps
    expect(await compact(git, repoId)).toBe(2)
    const [pack, ...others] = (await git.open(repoId)).packs
    if (!pack || others.length > 0) expect.fail('the packs were not joined')
    const counted = async (engine: Git) =>
      withSkeleton(engine, await engine.open(repoId), async (dir) => {
        const order = { dir, args: ['rev-list', '--test-bitmap', tip] }
        return engine.runner.run(order).then(
          () => true,
          () => false,
        )
      })
    expect(await counted(git)).toBe(true)
    await givenCommit(world, repoId, { puts: { more: '1' } })
    await due()
    expect(await jobs()).toBe(1)
    expect(await counted(git)).toBe(true)

    const key = blobKeys.packBitmap(repoId, pack.id)
    const bytes = await collect(await world.blobs.read(key), 2 ** 20)
    bytes[100] = (bytes[100] ?? 0) ^ 1
    await world.blobs.delete(key)
    await world.blobs.put(key, fromChunks(bytes))
    await git.store.discard(pack)
    const after = new Git(world.deps.git.deps)
    expect(await counted(after)).toBe(false)
    expect(await (await after.openFresh(repoId)).findCommit(tip)).toBeDefined()
    await after.close()
    await world.db.write(({ q, t: { git_packs: p } }) =>
      q.update(p).set({ state: 'deleting' }).where(eq(p.id, pack.id)),
    )
    await sweep()
    expect(await world.blobs.stat(key)).toBeUndefined()
  })

  test('two processes that commit while packs are joined and swept lose nothing', async () => {
    const repoId = await givenEmptyRepo(world)
    const other = { deps: { ...world.deps, git: new Git(world.deps.git.deps) } }
    const over = new AbortController()
    const untilOver = async (work: () => Promise<unknown>) => {
      while (!over.signal.aborted) await work()
    }
    const commitAll = async (by: typeof other, name: string) => {
      const made: string[] = []
      for (let i = 0; i < 12; i++) {
        // A branch too busy for five attempts is an error to the client, which retries.
        for (let sha: string | undefined; !sha;) {
          sha = await givenCommit(by, repoId, { puts: { [`${name}${i}`]: `${i}` } }).catch(
            (error: unknown) => {
              expect(error).toMatchObject({
                code: expect.stringMatching(/^(commit-conflict|already-exists)$/),
              })
              return undefined
            },
          )
          if (sha) made.push(sha)
        }
      }
      return made
    }
    const upkeep = [untilOver(() => compact(other.deps.git, repoId)), untilOver(() => sweep())]
    const made = (await Promise.all([commitAll(world, 'a'), commitAll(other, 'b')])).flat()
    over.abort()
    await Promise.all(upkeep)
    const snapshot = await world.deps.git.openFresh(repoId)
    const head = snapshot.findRef('refs/heads/main')?.commit ?? expect.fail('no head')
    const history = await listCommits(world.deps.git, snapshot, { sha: head, limit: 100 })
    expect(history?.total).toBe(24)
    expect(new Set(history?.commits.map(({ sha }) => sha))).toEqual(new Set(made))
    const root = (await snapshot.entryAt(head, '')) ?? expect.fail('no root')
    expect((await snapshot.listTree(root.oid, { limit: 100 })).entries).toHaveLength(24)
    await other.deps.git.close()
  })
})
