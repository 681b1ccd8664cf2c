import type { DatasetStatus } from '../../../../shared/vocabulary.ts'
import type { NamedFeature } from '../../../../shared/viewer.ts'
import type { DatasetProblem } from '../tables.ts'

/** A Parquet file of an export, whose bytes are in the store. */
export interface StoredFile {
  sha256: string
  sizeBytes: number
  rows: number
}

export interface MadeSplit {
  name: string
  status: DatasetStatus
  isPartial: boolean
  rows: number | null
  estimatedRows: number | null
  memoryBytes: number | null
  problem: DatasetProblem | null
  files: StoredFile[]
}

/** A config as it was converted, or why not. */
export interface MadeConfig {
  name: string
  isDefault: boolean
  builder: string
  isExact: boolean
  status: DatasetStatus
  features: NamedFeature[]
  warnings: string[]
  problem: DatasetProblem | null
  originalBytes: number
  splits: MadeSplit[]
}

/** Path of a file within the export (docs/protocols/datasets.md §6): `position` counts the files of its split from 0. */
export function exportPath(
  config: string,
  { name, isPartial, files }: Pick<MadeSplit, 'name' | 'isPartial' | 'files'>,
  position: number,
): string {
  const part = files.length > MAX_FILES ? `-part${Math.floor(position / MAX_FILES)}` : ''
  const file = String(position % MAX_FILES).padStart(4, '0')
  return `${config}/${isPartial ? 'partial-' : ''}${name}${part}/${file}.parquet`
}

const MAX_FILES = 10_000

/** How far a whole is, from its parts. */
export function statusOf(parts: readonly { status: DatasetStatus }[]): DatasetStatus {
  const has = (status: DatasetStatus) => parts.some((part) => part.status === status)
  if (has('missing_files')) return 'missing_files'
  if (has('partial')) return 'partial'
  if (has('ready')) return 'ready'
  if (has('failed')) return 'failed'
  return has('unsupported') ? 'unsupported' : 'failed'
}

/** A split that has no rows: it waits, or cannot be converted. */
export const unmade = (
  name: string,
  status: MadeSplit['status'],
  problem: DatasetProblem | null,
): MadeSplit => ({
  name,
  status,
  isPartial: false,
  rows: null,
  estimatedRows: null,
  memoryBytes: null,
  problem,
  files: [],
})
