import { DuckDBInstance } from '@duckdb/node-api'
import { parquetMetadata } from 'hyparquet'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { NamedFeature } from '../../../../shared/viewer.ts'
import type { UserActor } from '../../../core/access/index.ts'
import { contentOf } from '../../../core/lfs/testing.ts'
import { fromChunks } from '../../../stores/storage/index.ts'
import { givenRepo, type World } from '../../../testing.ts'
import { givenCommit } from '../../content/testing.ts'
import type { Repo } from '../../repos/index.ts'
import { storeObject } from '../../uploads/receive/store-object.ts'
import { parquetColumns } from '../features/parquet.ts'

/** A Parquet file with the rows of a query, as DuckDB writes it. */
export async function parquetOf(select: string, options = 'ROW_GROUP_SIZE 2048'): Promise<Buffer> {
  const dir = await mkdtemp(join(tmpdir(), 'arsenal-parquet-'))
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
  const connection = await instance.connect()
  try {
    await connection.run("SET TimeZone = 'UTC'")
    await connection.run(`COPY (${select}) TO '${dir}/x.parquet' (FORMAT parquet, ${options})`)
    return await readFile(join(dir, 'x.parquet'))
  } finally {
    connection.closeSync()
    instance.closeSync()
    await rm(dir, { recursive: true })
  }
}

export interface GivenSplit {
  config?: string
  split?: string
  files: Buffer[]
  features?: NamedFeature[]
  isExact?: boolean
  isPartial?: boolean
}

const rowsOf = (file: Buffer): number => {
  try {
    return Number(parquetMetadata(file).num_rows)
  } catch {
    return 100
  }
}

/** A dataset whose splits are exported, with the given Parquet files. */
export async function givenExport(
  world: World,
  owner: UserActor,
  splits: GivenSplit[],
  more: Parameters<typeof givenRepo>[2] = {},
): Promise<Repo> {
  const repo = await givenRepo(world, owner, { type: 'dataset', ...more })
  const contents = splits.flatMap(({ files }) => files.map(contentOf))
  for (const content of contents)
    await storeObject(
      world.ctx(owner),
      { repoId: repo.id, userId: owner.id },
      content,
      fromChunks(content.bytes),
    )
  const { commit } = await givenCommit(
    world,
    owner,
    repo,
    contents.map(({ sha256, sizeBytes }, i) => ({
      op: 'add-lfs',
      path: `data/${i}.parquet`,
      sha256,
      sizeBytes,
    })),
  )
  await record(world, repo, commit, splits)
  return repo
}

async function record(world: World, repo: Repo, commit: string, splits: GivenSplit[]): Promise<void> {
  const repo_id = repo.id
  const configs = [...new Set(splits.map(({ config = 'default' }) => config))]
  await world.db.write(async ({ q, t }) => {
    const known = { commit, version: 1, inputs: 'x', converted_commit: commit, export_commit: commit }
    await q
      .insert(t.datasets)
      .values({ repo_id, ...known, status: 'ready', original_bytes: 1000, updated_at: world.clock.now })
    for (const [position, name] of configs.entries()) {
      const own = splits.filter(({ config = 'default' }) => config === name)
      const [first] = own
      const file = first?.files[0]
      const features = first?.features ?? (file ? parquetColumns(parquetMetadata(file)).features : [])
      const state = {
        is_default: position === 0,
        builder: 'csv',
        is_exact: first?.isExact ?? true,
        status: 'ready',
      } as const
      await q
        .insert(t.dataset_configs)
        .values({ repo_id, name, position, ...state, features, warnings: [], original_bytes: 500 })
      for (const [at, { split = 'train', files, isPartial = false }] of own.entries()) {
        const of = { repo_id, config: name }
        const rows = files.map(rowsOf)
        const total = rows.reduce((a, b) => a + b, 0)
        const bytes = files.reduce((sum, { length }) => sum + length, 0)
        await q.insert(t.dataset_splits).values({
          ...of,
          name: split,
          position: at,
          status: isPartial ? 'partial' : 'ready',
          is_partial: isPartial,
          rows: total,
          estimated_rows: isPartial ? total * 2 : null,
          parquet_bytes: bytes,
          memory_bytes: bytes * 2,
        })
        for (const [i, content] of files.entries()) {
          const { sha256, sizeBytes: size } = contentOf(content)
          const path = `${name}/${split}/${String(i).padStart(4, '0')}.parquet`
          await q
            .insert(t.dataset_files)
            .values({ ...of, split, position: i, path, sha256, size, rows: rows[i] ?? 0 })
        }
      }
    }
  })
}
