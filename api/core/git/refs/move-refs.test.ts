import { expect, test } from 'vitest'
import { eachDatabase, type World } from '../../../testing.ts'
import { moveRef, StaleSnapshot, type RefMove } from './move-ref.ts'
import { layOut } from '../runner/skeleton.ts'
import { createTag } from '../tag.ts'
import { givenCommit, givenEmptyRepo, gitText } from '../testing.ts'
import { join } from 'node:path'

const ADA = { name: 'Ada', email: 'ada@example.org', at: new Date('2026-03-01T12:00:00Z'), tzMinutes: 0 }

async function move(world: World, repoId: string, change: Partial<RefMove>): Promise<void> {
  const seen = { pruneSeq: 0, defaultBranch: 'main' }
  const base = { repoId, name: 'refs/heads/x', ...seen, via: 'api' as const, at: world.clock.now }
  await world.db.write((tx) => moveRef(tx, { ...base, ...change }))
}

eachDatabase('refs', (world) => {
  test('a ref is made, moved and deleted, each once, and the log tells it', async () => {
    const repoId = await givenEmptyRepo(world)
    const first = await givenCommit(world, repoId, { puts: { a: '1' } })
    const second = await givenCommit(world, repoId, { puts: { a: '2' } })
    await move(world, repoId, { to: first, userId: 'u1' })
    await expect(move(world, repoId, { to: first })).rejects.toMatchObject({ code: 'already-exists' })
    await move(world, repoId, { from: first, to: second })
    await expect(move(world, repoId, { from: first, to: second })).rejects.toMatchObject({
      code: 'commit-conflict',
      members: { current_commit: second },
    })
    await expect(move(world, repoId, { from: first })).rejects.toMatchObject({ code: 'commit-conflict' })
    await move(world, repoId, { from: second })
    const snapshot = await world.deps.git.open(repoId)
    expect(snapshot.listRefs().map((ref) => ref.name)).toEqual(['refs/heads/main'])
    expect(snapshot.refSeq).toBe(5)
    const { git_ref_log: log } = world.db.t
    const rows = await world.db.q.select().from(log)
    const told = rows
      .filter((row) => row.repo_id === repoId && row.name === 'refs/heads/x')
      .sort((a, b) => (a.id < b.id ? -1 : 1))
    expect(told.map((row) => [row.old_oid?.toString('hex'), row.new_oid?.toString('hex')])).toEqual([
      [undefined, first],
      [first, second],
      [second, undefined],
    ])
  })

  test('refs that no folder could hold together are refused', async () => {
    const repoId = await givenEmptyRepo(world)
    const sha = await givenCommit(world, repoId, { puts: { a: '1' } })
    await move(world, repoId, { name: 'refs/heads/a/b', to: sha })
    for (const name of ['refs/heads/a', 'refs/heads/a/b/c', 'refs/heads/main/x']) {
      await expect(move(world, repoId, { name, to: sha })).rejects.toMatchObject({ code: 'already-exists' })
    }
    await move(world, repoId, { name: 'refs/heads/a/c', to: sha })
    await move(world, repoId, { name: 'refs/heads/a-b', to: sha })
    await move(world, repoId, { name: 'refs/tags/a', to: sha })
  })

  test('the default branch stays, and what a prune may have dropped is not relied on', async () => {
    const repoId = await givenEmptyRepo(world)
    const sha = await givenCommit(world, repoId, { puts: { a: '1' } })
    await expect(move(world, repoId, { name: 'refs/heads/main', from: sha })).rejects.toMatchObject({
      code: 'state-conflict',
    })
    await expect(move(world, repoId, { to: sha, pruneSeq: 7 })).rejects.toThrow(StaleSnapshot)
    expect((await world.deps.git.open(repoId)).listRefs()).toHaveLength(1)
  })

  test('a revision is a branch before a tag before a commit id', async () => {
    const { git } = world.deps
    const repoId = await givenEmptyRepo(world)
    const empty = await git.open(repoId)
    expect([await empty.resolve(), await empty.resolve('HEAD'), await empty.resolve('0'.repeat(40))]).toEqual(
      [undefined, undefined, undefined],
    )
    const first = await givenCommit(world, repoId, { puts: { a: '1' } })
    const second = await givenCommit(world, repoId, { puts: { a: '2' } })
    await createTag(git, await git.open(repoId), {
      name: 'v1',
      commit: first,
      message: 'One',
      tagger: ADA,
      via: 'api',
    })
    await createTag(git, await git.open(repoId), { name: 'v2', commit: first, tagger: ADA, via: 'api' })
    await move(world, repoId, { name: 'refs/heads/v2', to: second })
    await move(world, repoId, { name: `refs/heads/${first.slice(0, 8)}`, to: second })
    const snapshot = await git.open(repoId)
    const resolved = async (revision: string) => (await snapshot.resolve(revision))?.commit
    expect(await resolved('')).toBe(second)
    expect(await resolved('v1')).toBe(first)
    expect(await resolved('v2')).toBe(second)
    expect(await resolved('refs/tags/v2')).toBe(first)
    expect(await resolved(first)).toBe(first)
    expect(await resolved(first.slice(0, 8))).toBe(second)
    expect(await resolved(first.slice(0, 9))).toBe(first)
    expect(await resolved(first.slice(0, 6))).toBeUndefined()
    expect(await resolved('nope')).toBeUndefined()
    const entry = (await snapshot.entryAt(first, 'a')) ?? expect.fail('no entry')
    expect(await resolved(entry.oid)).toBeUndefined()
    const tag = snapshot.findRef('refs/tags/v1') ?? expect.fail('no tag')
    expect(await snapshot.findTagMessage(tag.oid)).toBe('One\n')
    const dir = join(world.dir, 'tags.git')
    await layOut(git, snapshot, dir, { mayLink: true })
    expect(await gitText(dir, ['fsck', '--strict', '--full', '--no-dangling'])).toBe('')
    expect(await gitText(dir, ['describe', '--exact-match', first])).toBe('v1')
    await expect(
      createTag(git, snapshot, { name: 'v1', commit: first, message: 'again', tagger: ADA, via: 'api' }),
    ).rejects.toMatchObject({ code: 'already-exists' })
  })
})
