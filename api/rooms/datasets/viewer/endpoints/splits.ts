import type { Viewed } from '../open.ts'
import { requireConfig } from '../open.ts'
import { optional, type Params } from '../params.ts'
import type { DatasetConfig } from '../../facts.ts'

/** `/splits`: the default config first, then by name; splits in the library's order. */
export function listSplits(viewed: Viewed, params: Params): unknown {
  const config = optional(params, 'config')
  const { name: dataset } = viewed
  const splitsOf = (of: DatasetConfig) =>
    of.splits.map(({ name }) => ({ dataset, config: of.name, split: name }))
  if (config !== undefined) return { splits: splitsOf(requireConfig(viewed, config)) }
  const all = viewed.dataset.configs
  const found = all.filter((of) => !hasNoSplits(of))
  return {
    splits: found.flatMap(splitsOf),
    pending: found.filter(({ splits }) => splits.length === 0).map(({ name }) => ({ dataset, config: name })),
    failed: all.filter(hasNoSplits).map(({ name, problem }) => ({
      dataset,
      config: name,
      error: { error: problem?.message },
    })),
  }
}

/** Whether the splits of a config cannot be found, as where the card names files that are not there. */
const hasNoSplits = ({ splits, status, problem }: DatasetConfig): boolean =>
  problem !== null &&
  (splits.length === 0 || (status === 'failed' && problem.code === 'DataFilesNotFoundError'))
