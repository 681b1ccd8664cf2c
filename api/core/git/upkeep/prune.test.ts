import { expect, test } from 'vitest'
import { newId } from '../../../stores/db/index.ts'
import { eachDatabase } from '../../../testing.ts'
import { CommitBuilder } from '../commit-builder.ts'
import { commit } from '../commit.ts'
import { gitCheck } from './checks.ts'
import { Git } from '../git.ts'
import { prune } from './prune.ts'
import { unreachable } from './prune-sweep.ts'
import { moveRef } from '../refs/move-ref.ts'
import type { RefListener } from '../refs/listener.ts'
import { givenCommit, givenEmptyRepo } from '../testing.ts'

const author = { name: 'Ada', email: 'ada@example.org', at: new Date(0), tzMinutes: 0 }
const main = 'refs/heads/main'

eachDatabase('pruning', (world) => {
  const sweep = (dryRun = false) =>
    unreachable.run(world.ctx(), {
      dryRun,
      signal: new AbortController().signal,
      write: (change) => world.db.write(change),
    })
  const pass = (ms: number) => void (world.clock.now = new Date(world.clock.now.getTime() + ms))
  const graceMs = () => world.deps.config.gc.grace_period

  /** Two commits on `main`, of which the second is lost by moving the branch back. */
  async function givenLoss() {
    const repoId = await givenEmptyRepo(world)
    const kept = await givenCommit(world, repoId, { puts: { kept: 'kept' } })
    const lost = await givenCommit(world, repoId, { puts: { secret: `secret of ${repoId}` } })
    const before = await world.deps.git.openFresh(repoId)
    const blob = (await before.entryAt(lost, 'secret')) ?? expect.fail('nothing there')
    await setMain(repoId, lost, kept)
    return { repoId, kept, lost, blob, before }
  }

  async function setMain(repoId: string, from: string, to: string) {
    const { pruneSeq, defaultBranch } = await world.deps.git.openFresh(repoId)
    const at = world.clock.now
    await world.db.write((tx) =>
      moveRef(tx, { repoId, name: main, from, to, pruneSeq, defaultBranch, via: 'api', at }),
    )
  }

  async function damage(repoId: string) {
    const found: unknown[] = []
    for await (const finding of gitCheck.run(world.deps, { deep: true, repair: false, repoId }))
      found.push(finding)
    return found
  }

  test('what a branch has lost goes one grace period later, and nothing else', async () => {
    const { repoId, kept, lost, blob, before } = await givenLoss()
    const { git } = world.deps
    pass(graceMs() - 1)
    expect(await sweep()).toMatchObject({ pruned: 0 })
    expect(await (await git.open(repoId)).findCommit(lost)).toBeDefined()
    pass(2)
    expect(await sweep(true)).toMatchObject({ pruned: 1, objects: 0 })
    expect(await sweep()).toMatchObject({ pruned: 1, busy: 0, failed: 0, objects: 3 })
    const after = await git.open(repoId)
    expect(after.pruneSeq).toBe(1)
    expect(after.packs).toHaveLength(1)
    expect(await after.resolve(lost)).toBeUndefined()
    expect(await after.resolve(lost.slice(0, 10))).toBeUndefined()
    expect(await after.openBlob(blob.oid)).toBeUndefined()
    expect(await after.resolve('main')).toMatchObject({ commit: kept })
    expect(await damage(repoId)).toEqual([])
    expect((await before.readBlob(blob.oid, 100))?.toString()).toBe(`secret of ${repoId}`)
    expect(await sweep()).toMatchObject({ pruned: 0 })
  })

  test('a deleted branch’s commits go, those that another branch has stay', async () => {
    const { repoId, kept, lost } = await givenLoss()
    const { git } = world.deps
    const { pruneSeq, defaultBranch } = await git.openFresh(repoId)
    const side = { repoId, name: 'refs/heads/side', pruneSeq, defaultBranch, via: 'api' as const }
    await world.db.write((tx) => moveRef(tx, { ...side, to: lost, at: world.clock.now }))
    pass(graceMs() + 1)
    expect(await sweep()).toMatchObject({ pruned: 0 })
    await world.db.write((tx) => moveRef(tx, { ...side, from: lost, at: world.clock.now }))
    pass(graceMs() + 1)
    expect(await sweep()).toMatchObject({ pruned: 1, objects: 3 })
    expect(await (await git.open(repoId)).resolve()).toMatchObject({ commit: kept })
  })

  test('many small packs of the API are packed again, once', async () => {
    const repoId = await givenEmptyRepo(world)
    for (let i = 0; i < 3; i++) await givenCommit(world, repoId, { puts: { a: String(i) } })
    const move = { repo_id: repoId, name: main, via: 'api' as const, at: world.clock.now }
    const moves = Array.from({ length: 98 }, () => ({ ...move, id: newId() }))
    await world.db.write(({ q, t }) => q.insert(t.git_ref_log).values(moves))
    pass(1)
    expect(await sweep()).toMatchObject({ pruned: 1, objects: 0 })
    expect((await world.deps.git.open(repoId)).packs).toHaveLength(1)
    expect(await damage(repoId)).toEqual([])
    pass(1)
    expect(await sweep()).toMatchObject({ pruned: 0 })
  })

  test('a commit under way meanwhile is made on what is left, or learns that it cannot be', async () => {
    const { repoId, kept, blob } = await givenLoss()
    let isPruned = false
    const pruneOnce: RefListener = async () => {
      if (!isPruned) await prune(world.deps.git, repoId, { keepSince: world.clock.now })
      isPruned = true
      return undefined
    }
    const other = new Git({ ...world.deps.git.deps, refListeners: [pruneOnce] })
    const commitWith = async (edit: (builder: CommitBuilder) => Promise<unknown>) => {
      isPruned = false
      const builder = new CommitBuilder(other, repoId)
      try {
        await other.open(repoId)
        await edit(builder)
        return await commit(other, builder, { ref: main, author, message: 'm', via: 'api' })
      } finally {
        await builder.dispose()
      }
    }
    pass(1)
    await expect(
      commitWith(async (builder) => builder.putBlob('copy', { oid: blob.oid, mode: 0o100644 })),
    ).rejects.toMatchObject({ code: 'entry-not-found' })
    expect(await (await world.deps.git.open(repoId)).resolve()).toMatchObject({ commit: kept })
    const made = await commitWith((builder) => builder.putBytes('new', Buffer.from('new')))
    expect(made).toMatchObject({ changed: true })
    expect(await damage(repoId)).toEqual([])
    await other.close()
  })

  test('commits while a repo is pruned again and again: each is there', async () => {
    const repoId = await givenEmptyRepo(world)
    const other = { deps: { ...world.deps, git: new Git(world.deps.git.deps) } }
    const made: string[] = [await givenCommit(world, repoId, { puts: { a: 'first' } })]
    const over = new AbortController()
    const pruning = (async () => {
      while (!over.signal.aborted) await prune(world.deps.git, repoId, { keepSince: world.clock.now })
    })()
    for (let i = 0; i < 15; i++)
      made.push(await givenCommit(i % 2 ? world : other, repoId, { puts: { [`f${i}`]: `${i}` } }))
    over.abort()
    await pruning
    expect(await damage(repoId)).toEqual([])
    const snapshot = await world.deps.git.openFresh(repoId)
    for (const sha of made) expect(await snapshot.findCommit(sha)).toBeDefined()
    await other.deps.git.close()
  })
})
