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
  const failed = all.filter(({ splits, problem }) => splits.length === 0 && problem)
  return {
    splits: all.flatMap(splitsOf),
    pending: all
      .filter(({ splits, problem }) => splits.length === 0 && !problem)
      .map(({ name }) => ({ dataset, config: name })),
    failed: failed.map(({ name, problem }) => ({
      dataset,
      config: name,
      error: { error: problem?.message },
    })),
  }
}
