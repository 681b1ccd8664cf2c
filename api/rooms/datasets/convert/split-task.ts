import type { NamedFeature } from '../../../../shared/viewer.ts'
import type { Ctx } from '../../../core/ctx.ts'
import type { Snapshot } from '../../../core/git/index.ts'
import type { PlannedConfig, PlannedSplit } from '../configs/plan.ts'
import type { SourceFile } from '../configs/source-file.ts'
import type { Preview } from './child/messages.ts'
import type { Converter } from './converter.ts'
import type { MadeSplit } from './made.ts'
import type { StoredFiles } from './store-files.ts'

/** What the splits of one run share. */
export interface Conversion {
  ctx: Ctx
  snapshot: Snapshot
  /** Address of the revision, as cells name files of the repo: `hf://datasets/{ns}/{name}@{commit}/`. */
  root: string
  files: ReadonlyMap<string, SourceFile>
  converter: Converter
  stored: Pick<StoredFiles, 'add' | 'addBytes'>
  /** Folder of the run. */
  folder: string
  /** Says that a part of the bytes of a split is done, 0 to 1. */
  progress: (config: string, split: string, share: number) => Promise<void>
  /** Adds a line to the log of the job. */
  log: (text: string) => void
  preview: (config: PlannedConfig, split: PlannedSplit, preview: Preview) => Promise<void>
}

/** A split on its way, with a folder of its own. */
export interface SplitTask extends Conversion {
  config: PlannedConfig
  split: PlannedSplit
  sources: SourceFile[]
  /** Columns of the card or of an earlier split. */
  features: NamedFeature[] | undefined
  folder: string
}

/** What was made of a split, with the columns it has. */
export interface SplitResult extends Omit<MadeSplit, 'name' | 'status' | 'problem'> {
  features: NamedFeature[]
  isExact: boolean
  warnings: string[]
}
