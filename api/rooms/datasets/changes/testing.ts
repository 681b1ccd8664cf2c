import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import type { UserActor } from '../../../core/access/index.ts'
import { contentOf } from '../../../core/lfs/testing.ts'
import { fromChunks } from '../../../stores/storage/index.ts'
import { givenRepo, givenUser, testConfig, type World } from '../../../testing.ts'
import { commit } from '../../content/index.ts'
import type { Repo } from '../../repos/index.ts'
import { storeObject } from '../../uploads/receive/store-object.ts'
import { getDataChanges } from './job.ts'

type Files = Record<string, string | Buffer | null>

/** A world whose datasets change: one owner, and nothing left in the work folder at the end. */
export class ChangeSite {
  owner!: UserActor
  readonly world: World

  constructor(world: World) {
    this.world = world
    beforeAll(async () => {
      this.owner = await givenUser(world, 'owner')
    })
    afterAll(async () => {
      const left = await readdir(join(world.dir, 'viewer', 'compare')).catch(() => [])
      expect(left, 'folders of comparisons that have ended').toEqual([])
    })
  }

  /** Commits files; Parquet as a large file, and `null` deletes. */
  async add(repo: Repo, files: Files): Promise<string> {
    const { world, owner } = this
    const operations = []
    for (const [path, content] of Object.entries(files)) {
      if (content === null) operations.push({ op: 'delete' as const, path })
      else if (typeof content === 'string' || !path.endsWith('.parquet'))
        operations.push({ op: 'add' as const, path, content: Buffer.from(content) })
      else {
        const { sha256, sizeBytes, bytes } = contentOf(content)
        await storeObject(
          world.ctx(owner),
          { repoId: repo.id, userId: owner.id },
          { sha256, sizeBytes },
          fromChunks(bytes),
        )
        operations.push({ op: 'add-lfs' as const, path, sha256, sizeBytes })
      }
    }
    const made = await commit(world.ctx(owner), repo, { title: 'Change data', operations, via: 'api' })
    return made.commit
  }
  /** A dataset before and after a commit. */
  async given(before: Files, after: Files) {
    const repo = await givenRepo(this.world, this.owner, { type: 'dataset' })
    return { repo, base: await this.add(repo, before), head: await this.add(repo, after) }
  }

  /** What a commit changed in a dataset. */
  async changed(before: Files, after: Files, viewer: Record<string, unknown> = {}) {
    const { repo, base, head } = await this.given(before, after)
    const ctx = { ...this.world.ctx(this.owner), config: testConfig(this.world.dir, { viewer }) }
    const known = await getDataChanges(ctx, repo, { base, head })
    return known.changes ?? expect.fail('nothing is known')
  }

  /** What it changed in the only split. */
  async onlySplit(...given: Parameters<ChangeSite['changed']>) {
    const { configs } = await this.changed(...given)
    expect(configs).toHaveLength(1)
    expect(configs[0]?.splits).toHaveLength(1)
    return configs[0]?.splits[0]
  }
}
