import { expect } from 'vitest'
import { contentOf } from '../../../core/lfs/testing.ts'
import { fromChunks } from '../../../stores/storage/index.ts'
import { givenRepo, testConfig, type World } from '../../../testing.ts'
import { commit } from '../../content/index.ts'
import type { Repo } from '../../repos/index.ts'
import { storeObject } from '../../uploads/receive/store-object.ts'
import { getDataChanges } from './job.ts'
import { DatasetSite } from '../testing.ts'

type Files = Record<string, string | Buffer | null>

/** A world whose datasets change. */
export class ChangeSite extends DatasetSite {
  constructor(world: World) {
    super(world, 'compare')
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
