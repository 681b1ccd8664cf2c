import { expect, test } from 'vitest'
import type { Finding } from '../check.ts'
import { Problem } from '../../platform/problems/index.ts'
import { FaultyBlobStore } from '../../stores/storage/testing/faulty.ts'
import type { Fault, FaultPlan, Io } from '../../stores/storage/testing/fault-plan.ts'
import { eachDatabase, type World } from '../../testing.ts'
import { gitCheck } from './upkeep/checks.ts'
import { Git } from './git.ts'
import { givenCommit, givenEmptyRepo } from './testing.ts'

async function damage(world: World, repoId: string): Promise<Finding[]> {
  const found: Finding[] = []
  for await (const finding of gitCheck.run(world.deps, { deep: false, repair: false, repoId }))
    found.push(finding)
  return found
}

type StoreFault = Extract<Fault, { type: 'before' | 'after' }>

/** One fault at the n-th step, and the error the caller gets. */
function faultAt(n: number, fault: StoreFault): { plan: FaultPlan; expected: () => string } {
  // Chunks belong to the last read or put of their key.
  const operations = new Map<string, Io['operation']>()
  let hit: Io['operation'] | undefined
  return {
    plan: ({ n: at, key, operation }) => {
      if (operation !== 'chunk') operations.set(key, operation)
      if (at !== n) return undefined
      hit = operations.get(key)
      return fault
    },
    expected: () => {
      if (fault.kind === 'transient') return 'store-unavailable'
      // What cannot be copied into the full pack cache may be read later; what cannot be written has no room.
      return hit === 'read' ? 'temporarily-unavailable' : 'storage-full'
    },
  }
}

eachDatabase('a commit over a failing store', (world) => {
  const faults: StoreFault[] = [
    { type: 'before', kind: 'transient' },
    { type: 'after', kind: 'transient' },
    { type: 'before', kind: 'full' },
  ]
  test.each(faults)('is made whole or not at all: %j at every step', async (fault) => {
    const repoId = await givenEmptyRepo(world)
    let head = await givenCommit(world, repoId, { puts: { 'a/b': '0' } })
    for (let n = 1, isDone = false; !isDone; n++) {
      expect(n).toBeLessThan(100)
      const { plan, expected } = faultAt(n, fault)
      const blobs = new FaultyBlobStore(world.blobs, plan)
      const git = new Git({ ...world.deps.git.deps, blobs })
      const attempt = givenCommit({ deps: { ...world.deps, git } }, repoId, { puts: { 'a/b': String(n) } })
      const sha = await attempt.catch((error: unknown) => {
        expect(error).toBeInstanceOf(Problem)
        expect(error instanceof Problem && error.code).toBe(expected())
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
