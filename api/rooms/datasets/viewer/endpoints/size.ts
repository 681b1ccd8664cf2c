import type { DatasetConfig, DatasetSplit } from '../../facts.ts'
import type { Viewed } from '../open.ts'
import { optional, type Params } from '../params.ts'
import { requireConverted } from './parquet.ts'
import { isPartial, sortConfigs } from './state.ts'

interface Sizes {
  num_bytes_parquet_files: number
  num_bytes_memory: number
  num_rows: number
  estimated_num_rows: number | null
}

function sizesOf({ parquet_bytes, memory_bytes, rows, is_partial, estimated_rows }: DatasetSplit): Sizes {
  return {
    num_bytes_parquet_files: parquet_bytes ?? 0,
    num_bytes_memory: memory_bytes ?? 0,
    num_rows: rows ?? 0,
    estimated_num_rows: is_partial ? estimated_rows : null,
  }
}

function sum(all: readonly Sizes[]): Sizes {
  const of = (read: (one: Sizes) => number) => all.reduce((total, one) => total + read(one), 0)
  const isEstimated = all.some(({ estimated_num_rows }) => estimated_num_rows !== null)
  return {
    num_bytes_parquet_files: of((one) => one.num_bytes_parquet_files),
    num_bytes_memory: of((one) => one.num_bytes_memory),
    num_rows: of((one) => one.num_rows),
    estimated_num_rows: isEstimated ? of((one) => one.estimated_num_rows ?? one.num_rows) : null,
  }
}

const splitSizes = (dataset: string, config: DatasetConfig) =>
  config.splits.map((split) => ({
    dataset,
    config: config.name,
    split: split.name,
    ...sizesOf(split),
    num_columns: config.features.length,
  }))

const configSize = (dataset: string, config: DatasetConfig) => ({
  dataset,
  config: config.name,
  num_bytes_original_files: config.original_bytes,
  ...sum(config.splits.map(sizesOf)),
  num_columns: config.features.length,
})

/** `/size`: rows and bytes of the export, of its sources and in memory. */
export function describeSize(viewed: Viewed, params: Params): unknown {
  const config = optional(params, 'config')
  const { name, dataset } = viewed
  if (config !== undefined) {
    const found = requireConverted(viewed, config)
    const size = { config: configSize(name, found), splits: splitSizes(name, found) }
    return { size, partial: isPartial(found) }
  }
  const { ready, pending, failed } = sortConfigs(viewed, 'config-size')
  const configs = ready.map((each) => configSize(name, each))
  const whole = { dataset: name, num_bytes_original_files: dataset.original_bytes, ...sum(configs) }
  const splits = ready.flatMap((each) => splitSizes(name, each))
  return { size: { dataset: whole, configs, splits }, pending, failed, partial: ready.some(isPartial) }
}
