import { parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { expect } from 'vitest'
import { runJobs } from '../../../../core/jobs/testing.ts'
import { openObject } from '../../../../core/lfs/index.ts'
import { collect } from '../../../../stores/storage/index.ts'
import { givenRepo, type World } from '../../../../testing.ts'
import { commit } from '../../../content/index.ts'
import type { Repo } from '../../../repos/index.ts'
import { readDataset } from '../../facts.ts'
import { datasetConvert } from '../job.ts'
import { DatasetSite } from '../../testing.ts'

/** A world whose datasets are converted. */
export class ConvertSite extends DatasetSite {
  constructor(world: World) {
    super(world, 'convert')
  }

  add(repo: Repo, files: Record<string, string | Buffer>) {
    const operations = Object.entries(files).map(([path, content]) => ({
      op: 'add' as const,
      path,
      content: Buffer.from(content),
    }))
    return commit(this.world.ctx(this.owner), repo, { title: 'Add data', operations, via: 'api' })
  }

  /** Runs the conversions that wait. */
  convert() {
    return runJobs(this.world.deps, [datasetConvert])
  }

  /** A dataset of these files, converted. */
  async given(files: Record<string, string | Buffer>) {
    const repo = await givenRepo(this.world, this.owner, { type: 'dataset' })
    const { commit: sha } = await this.add(repo, files)
    await this.convert()
    return { repo, sha, dataset: (await readDataset(this.world.db, repo.id)) ?? expect.fail('no dataset') }
  }

  /** The rows of a Parquet file of the export. */
  async rowsOf(repo: Repo, sha256: string | undefined) {
    const object = await openObject(this.world.ctx(), repo.id, sha256 ?? '')
    const bytes = await collect(await object.open(), 1 << 24)
    return parquetReadObjects({ file: new Uint8Array(bytes).buffer, compressors })
  }
}
