import { asc, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { Ctx } from '../../ctx.ts'
import { newId } from '../../../stores/db/index.ts'
import { after, before, eachDatabase, hold } from '../../../testing.ts'
import { oidFromHex } from '../objects/oid.ts'
import { moveRef } from '../refs/move-ref.ts'
import { givenCommit, givenEmptyRepo } from '../testing.ts'
import { gitCheck } from './checks.ts'
import { compact } from './compact.ts'
import { prune } from './prune.ts'
import { unreachable } from './prune-sweep.ts'
import { orphanPacks } from './orphan-packs.ts'

const main = 'refs/heads/main'

eachDatabase('packs and roots between two looks', (world) => {
  const pass = (ms: number) => void (world.clock.now = new Date(world.clock.now.getTime() + ms))
  const timeout = () => world.deps.config.git.timeout
  const graceMs = () => world.deps.config.gc.grace_period
  const runOf = (ctx: Ctx) => ({
    dryRun: false,
    signal: new AbortController().signal,
    write: ctx.db.write.bind(ctx.db),
  })
  const sweepOrphans = (ctx: Ctx) => orphanPacks.run(ctx, runOf(ctx))

  async function damage(repoId: string) {
    const found: unknown[] = []
    for await (const { message } of gitCheck.run(world.deps, { deep: true, repair: false, repoId }))
      found.push(message)
    return found
  }

  const statesOf = async (repoId: string) => {
    const { git_packs: p } = world.db.t
    const rows = await world.db.q
      .select({ state: p.state })
      .from(p)
      .where(eq(p.repo_id, repoId))
      .orderBy(asc(p.id))
    return rows.map(({ state }) => state)
  }

  const bytesOf = async (repoId: string) => {
    const keys: string[] = []
    for await (const { key } of world.blobs.list(`git/${repoId.slice(-2)}/${repoId}/`)) keys.push(key)
    return keys
  }

  /** A second commit that has its pack stored, and is about to make it live. */
  async function givenCommitUnderWay() {
    const repoId = await givenEmptyRepo(world)
    const first = await givenCommit(world, repoId, { puts: { a: 'first' } })
    const held = await hold(world.ctx(), before('write', { nth: 2 }), (ctx) =>
      givenCommit({ deps: ctx }, repoId, { puts: { b: 'second' } }),
    )
    expect(await statesOf(repoId)).toEqual(['live', 'pending'])
    return { repoId, first, held }
  }

  async function headOf(repoId: string) {
    return (await world.deps.git.openFresh(repoId)).findRef(main)?.commit
  }

  async function move(repoId: string, name: string, from: string | undefined, to: string | undefined) {
    const { pruneSeq, defaultBranch } = await world.deps.git.openFresh(repoId)
    const at = world.clock.now
    const ends = { ...(from && { from }), ...(to && { to }) }
    await world.db.write((tx) =>
      moveRef(tx, { repoId, name, ...ends, pruneSeq, defaultBranch, via: 'api', at }),
    )
  }

  test('the pack of a change that takes less than twice git.timeout is left to it', async () => {
    const { repoId, held } = await givenCommitUnderWay()
    pass(2 * timeout() - 1)
    await sweepOrphans(world.ctx())
    const sha = await held.resume()
    expect(await headOf(repoId)).toBe(sha)
    expect(await damage(repoId)).toEqual([])
  })

  test('a pack that became live after the sweep had listed it stays', async () => {
    const { repoId, held } = await givenCommitUnderWay()
    pass(2 * timeout() + 1)
    const sweep = await hold(world.ctx(), before('write'), sweepOrphans)
    const sha = await held.resume()
    await sweep.resume()
    expect(await statesOf(repoId)).toEqual(['live', 'live'])
    expect(await bytesOf(repoId)).toHaveLength(4)
    expect(await headOf(repoId)).toBe(sha)
    expect(await damage(repoId)).toEqual([])
  })

  test('a pack that is being swept does not become live', async () => {
    for (const point of [after('write'), after('delete')]) {
      const { repoId, first, held } = await givenCommitUnderWay()
      pass(2 * timeout() + 1)
      const sweep = await hold(world.ctx(), point, sweepOrphans)
      expect(await statesOf(repoId)).toEqual(['live', 'deleting'])
      await expect(held.resume()).rejects.toThrow('no longer pending')
      await sweep.resume()
      expect(await headOf(repoId)).toBe(first)
      expect(await statesOf(repoId)).toEqual(['live'])
      expect(await bytesOf(repoId)).toHaveLength(2)
      expect(await damage(repoId)).toEqual([])
    }
  })

  /** Two commits on `main`, of which the second was lost. */
  async function givenLoss() {
    const repoId = await givenEmptyRepo(world)
    const kept = await givenCommit(world, repoId, { puts: { kept: 'kept' } })
    const lost = await givenCommit(world, repoId, { puts: { lost: `lost by ${repoId}` } })
    await move(repoId, main, lost, kept)
    pass(1)
    return { repoId, kept, lost }
  }

  const pruneOf = (repoId: string) => (ctx: Ctx) => prune(ctx.git, repoId, { keepSince: world.clock.now })
  const has = async (repoId: string, sha: string) =>
    (await (await world.deps.git.openFresh(repoId)).findCommit(sha)) !== undefined

  test('a ref that leads to what is about to be dropped keeps it', async () => {
    const { repoId, lost } = await givenLoss()
    const pruning = await hold(world.ctx(), before('write', { nth: 2 }), pruneOf(repoId))
    await move(repoId, 'refs/heads/side', undefined, lost)
    await pruning.resume()
    expect(await has(repoId, lost)).toBe(true)
    expect(await damage(repoId)).toEqual([])
    await move(repoId, 'refs/heads/side', lost, undefined)
    pass(1)
    expect(await pruneOf(repoId)(world.ctx())).toBe(3)
    expect(await has(repoId, lost)).toBe(false)
  })

  test('packs that were joined meanwhile are pruned as they are then', async () => {
    const { repoId, kept, lost } = await givenLoss()
    const pruning = await hold(world.ctx(), before('write', { nth: 2 }), pruneOf(repoId))
    expect(await compact(world.deps.git, repoId)).toBe(2)
    expect(await pruning.resume()).toBe(3)
    expect([await has(repoId, kept), await has(repoId, lost)]).toEqual([true, false])
    expect(await statesOf(repoId)).toEqual(expect.arrayContaining(['live']))
    expect((await world.deps.git.openFresh(repoId)).packs).toHaveLength(1)
    expect(await damage(repoId)).toEqual([])
  })

  test('a commit made while its repo is pruned is there, and what is lost has gone', async () => {
    const { repoId, lost } = await givenLoss()
    const pruning = await hold(world.ctx(), before('write', { nth: 2 }), pruneOf(repoId))
    const made = await givenCommit(world, repoId, { puts: { meanwhile: 'x' } })
    await pruning.resume()
    expect([await has(repoId, made), await has(repoId, lost)]).toEqual([true, false])
    expect(await headOf(repoId)).toBe(made)
    expect(await damage(repoId)).toEqual([])
  })

  test('what was lost lately stays where something older goes', async () => {
    const { repoId, lost } = await givenLoss()
    const head = (await headOf(repoId)) ?? ''
    pass(graceMs())
    const late = await givenCommit(world, repoId, { puts: { late: 'late' } })
    await move(repoId, main, late, head)
    pass(1)
    expect(await unreachable.run(world.ctx(), runOf(world.ctx()))).toMatchObject({ pruned: 1, failed: 0 })
    expect([await has(repoId, lost), await has(repoId, late)]).toEqual([false, true])
  })

  test.each(['base_oid', 'merged_base_oid', 'merged_head_oid'] as const)(
    'the %s of a pull request stays, though no ref leads to it',
    async (column) => {
      const { repoId, kept, lost } = await givenLoss()
      await world.db.write(({ q, t }) =>
        q.insert(t.discussions).values({
          id: newId(),
          repo_id: repoId,
          num: 1,
          kind: 'pull_request',
          status: 'closed',
          title: 'merged',
          comment_count: 0,
          created_at: world.clock.now,
          updated_at: world.clock.now,
          merged_head_oid: oidFromHex(kept),
          [column]: oidFromHex(lost),
        }),
      )
      const other = await givenCommit(world, repoId, { puts: { other: 'other' } })
      await move(repoId, main, other, kept)
      pass(1)
      expect(await pruneOf(repoId)(world.ctx())).toBe(3)
      expect([await has(repoId, lost), await has(repoId, other)]).toEqual([true, false])
    },
  )
})
