import { writeFile, rename, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Ctx } from '../../../core/ctx.ts'
import type { Repo } from '../../repos/index.ts'
import type { Revision } from '../../content/index.ts'
import type { PlannedConfig } from '../configs/plan.ts'
import type { RevisionPlan } from '../configs/read-plan.ts'
import { convertConfig } from '../convert/convert-config.ts'
import type { Converter } from '../convert/converter.ts'
import type { MadeConfig, MadeSplit } from '../convert/made.ts'
import { localPaths } from '../query/local-files.ts'
import { ViewerFault } from '../viewer/viewer-fault.ts'

/** Rows of a config at a revision, as Parquet files on this machine. */
export interface Side {
  made: MadeConfig
  pathsOf(split: MadeSplit): Promise<string[]>
}

export interface SideInput {
  repo: Repo
  revision: Revision
  plan: RevisionPlan
  converter: Converter
  /** For the files of this side. */
  folder: string
  progress: (split: string, share: number) => Promise<void>
}

const READY_MS = 1000

/** Reads a config as a conversion does, into files that nothing names. */
export async function readSide(ctx: Ctx, config: PlannedConfig, input: SideInput): Promise<Side> {
  const { repo, revision, plan, converter, folder } = input
  await mkdir(folder, { recursive: true })
  const tables = new Tables(folder)
  const made = await convertConfig(
    {
      ctx,
      // Cells that name files are equal where their paths are.
      root: `hf://datasets/${repo.ns}/${repo.name}/`,
      snapshot: revision.snapshot,
      files: plan.files,
      converter,
      stored: tables,
      folder,
      progress: (_config, split, share) => input.progress(split, share),
      preview: async () => undefined,
      log: () => undefined,
    },
    config,
  )
  return {
    made,
    pathsOf: async ({ files }) => {
      const kept = files.map(({ sha256 }) => sha256).filter((id) => !tables.paths.has(id))
      const stored = await patiently(ctx, repo.id, kept)
      return files.map(({ sha256 }) => tables.paths.get(sha256) ?? stored.get(sha256) ?? '')
    },
  }
}

/** Stands for the store of a conversion: files stay on this machine, under names of their own. */
class Tables {
  readonly paths = new Map<string, string>()
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  async add(path: string): Promise<{ sha256: string; sizeBytes: number }> {
    const [sha256, own] = this.#next()
    await rename(path, own)
    return { sha256, sizeBytes: 0 }
  }

  async addBytes(bytes: Buffer): Promise<{ sha256: string; sizeBytes: number }> {
    const [sha256, own] = this.#next()
    await writeFile(own, bytes)
    return { sha256, sizeBytes: bytes.length }
  }

  #next(): [id: string, path: string] {
    const id = `table-${this.paths.size}`
    const path = join(this.#folder, `${id}.parquet`)
    this.paths.set(id, path)
    return [id, path]
  }
}

/** Copies of a bucket's files take their time. */
async function patiently(ctx: Ctx, repoId: string, sha256s: string[]): Promise<Map<string, string>> {
  for (;;)
    try {
      const paths = await localPaths(ctx, repoId, sha256s)
      return new Map(sha256s.map((sha256, i) => [sha256, paths[i] ?? '']))
    } catch (error) {
      if (!(error instanceof ViewerFault) || error.code !== 'ResponseNotReady') throw error
      await delay(READY_MS, undefined, { signal: ctx.signal })
    }
}
