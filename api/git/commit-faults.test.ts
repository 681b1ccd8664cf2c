import { expect, test } from 'vitest'
import type { Finding } from '../check.ts'
import { Problem } from '../problems/index.ts'
import { failAt, FaultyBlobStore, type Fault } from '../storage/index.ts'
import { eachDatabase, type World } from '../testing.ts'
import { gitCheck } from './upkeep/checks.ts'
import { Git } from './git.ts'
import { givenCommit, givenEmptyRepo } from './testing.ts'

async function damage(world: World, repoId: string): Promise<Finding[]> {
  const found: Finding[] = []
  for await (const finding of gitCheck.run(world.deps, { deep: false, repair: false, repoId }))
    found.push(finding)
  return found
}

eachDatabase('a commit over a failing store', (world) => {
  const faults: Fault[] = [
    { type: 'before', kind: 'transient' },
    { type: 'after', kind: 'transient' },
    { type: 'before', kind: 'full' },
  ]
  test.each(faults)('is made whole or not at all: %j at every step', async (fault) => {
    const repoId = await givenEmptyRepo(world)
    let head = await givenCommit(world, repoId, { puts: { 'a/b': '0' } })
    for (let n = 1, isDone = false; !isDone; n++) {
      expect(n).toBeLessThan(100)
      const blobs = new FaultyBlobStore(world.blobs, failAt(n, fault))
      const git = new Git({ ...world.deps.git.deps, blobs })
      const attempt = givenCommit({ deps: { ...world.deps, git } }, repoId, { puts: { 'a/b': String(n) } })
      const sha = await attempt.catch((error: unknown) => {
        expect(error).toBeInstanceOf(Problem)
        expect(['store-unavailable', 'storage-full', 'temporarily-unavailable']).toContain(
          error instanceof Problem && error.code,
        )
        return undefined
      })
      isDone = blobs.ioCount < n
      const snapshot = await world.deps.git.openFresh(repoId)
      expect(snapshot.findRef('refs/heads/main')?.commit).toBe(sha ?? head)
      head = sha ?? head
      await git.close()
    }
    expect(await damage(world, repoId)).toEqual([])
  })
})
