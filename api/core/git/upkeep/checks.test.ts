import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { eachDatabase, type World } from '../../../testing.ts'
import type { CheckOptions, Finding } from '../../check.ts'
import { blobKeys } from '../../../stores/storage/index.ts'
import { gitCheck } from './checks.ts'
import { Git } from '../git.ts'
import { givenCommit, givenEmptyRepo } from '../testing.ts'

async function found(world: World, repoId: string, options: Partial<CheckOptions> = {}): Promise<string[]> {
  const git = new Git({
    ...world.deps.git.deps,
    config: { git: { ...world.deps.config.git, cache_dir: `${world.dir}/${Math.random()}` } },
  })
  const findings: Finding[] = []
  const all = { deep: false, repair: false, repoId, ...options }
  for await (const finding of gitCheck.run({ ...world.deps, git }, all)) findings.push(finding)
  await git.close()
  return findings.map(({ check }) => check)
}

eachDatabase('git check', (world) => {
  test('finds nothing in a sound repo', async () => {
    const repoId = await givenEmptyRepo(world)
    expect(await found(world, repoId)).toEqual([])
    await givenCommit(world, repoId, { puts: { 'a/b': '1', c: '2' } })
    await givenCommit(world, repoId, { puts: { 'a/b': '2' } })
    expect(await found(world, repoId, { deep: true })).toEqual([])
  })

  test('finds a pack that is gone, with what it held', async () => {
    const repoId = await givenEmptyRepo(world)
    await givenCommit(world, repoId, { puts: { a: '1' } })
    await givenCommit(world, repoId, { puts: { b: '2' } })
    const pack = (await world.deps.git.openFresh(repoId)).packs[1] ?? expect.fail('no pack')
    await world.blobs.delete(blobKeys.pack(repoId, pack.id))
    expect(await found(world, repoId)).toEqual(expect.arrayContaining(['git.pack', 'git.closure']))
  })

  test('finds objects whose pack row was lost', async () => {
    const repoId = await givenEmptyRepo(world)
    await givenCommit(world, repoId, { puts: { a: '1', 'b/c': '2' } })
    await givenCommit(world, repoId, { puts: { d: '3' } })
    const pack = (await world.deps.git.openFresh(repoId)).packs[1] ?? expect.fail('no pack')
    await world.db.write(({ q, t }) => q.delete(t.git_packs).where(eq(t.git_packs.id, pack.id)))
    const checks = await found(world, repoId)
    expect(new Set(checks)).toEqual(new Set(['git.closure', 'git.bytes']))
    // The first commit, its folder b, and the files a and c; the sum.
    expect(checks).toHaveLength(4)
  })

  test('finds a flipped bit, deep only where the pack still opens', async () => {
    const repoId = await givenEmptyRepo(world)
    await givenCommit(world, repoId, { puts: { a: 'x'.repeat(500), b: 'y'.repeat(500) } })
    const pack = (await world.deps.git.openFresh(repoId)).packs[0] ?? expect.fail('no pack')
    const key = blobKeys.pack(repoId, pack.id)
    const chunks: Uint8Array[] = []
    for await (const chunk of await world.blobs.read(key)) chunks.push(chunk)
    const bytes = Buffer.concat(chunks)
    bytes[20] = (bytes[20] ?? 0) ^ 4
    await world.blobs.delete(key)
    await world.blobs.put(
      key,
      (async function* () {
        yield bytes
      })(),
    )
    expect(await found(world, repoId, { deep: true })).toContain('git.pack')
  })

  test('finds a wrong sum of packs, and repairs it', async () => {
    const repoId = await givenEmptyRepo(world)
    await givenCommit(world, repoId, { puts: { a: '1' } })
    const bytes = async () => {
      const { git_repos: g } = world.db.t
      const [row] = await world.db.q.select({ n: g.pack_bytes }).from(g).where(eq(g.repo_id, repoId))
      return row?.n
    }
    const before = await bytes()
    await world.db.write(({ q, t: { git_repos: g } }) =>
      q.update(g).set({ pack_bytes: 5 }).where(eq(g.repo_id, repoId)),
    )
    expect(await found(world, repoId)).toEqual(['git.bytes'])
    expect(await found(world, repoId, { repair: true })).toEqual(['git.bytes'])
    expect(await bytes()).toBe(before)
    expect(await found(world, repoId)).toEqual([])
  })
})
