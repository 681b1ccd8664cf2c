import type { ViewerValidity } from '../../../../../shared/viewer.ts'
import type { DatasetConfig } from '../../facts.ts'
import { requireConfig, requireSplit, type Viewed } from '../open.ts'
import { optional, type Params } from '../params.ts'
import { validityOf } from './state.ts'

const nothing: ViewerValidity = {
  preview: false,
  viewer: false,
  search: false,
  filter: false,
  statistics: false,
}

/** `/is-valid`, of a split, a config or the dataset: what is true of any part is true of the whole. */
export function describeValidity(
  viewed: Viewed,
  params: Params,
  previews: ReadonlySet<string>,
): ViewerValidity {
  const [config, split] = [optional(params, 'config'), optional(params, 'split')]
  const configs = config === undefined ? viewed.dataset.configs : [requireConfig(viewed, config)]
  const ofConfig = (each: DatasetConfig): ViewerValidity[] => {
    const splits = config !== undefined && split !== undefined ? [requireSplit(each, split)] : each.splits
    return splits.map((one) => {
      const validity = validityOf(each, [one])
      return { ...validity, preview: validity.preview || previews.has(`${each.name}\n${one.name}`) }
    })
  }
  return configs.flatMap(ofConfig).reduce(
    (all, one) => ({
      preview: all.preview || one.preview,
      viewer: all.viewer || one.viewer,
      search: all.search || one.search,
      filter: all.filter || one.filter,
      statistics: all.statistics || one.statistics,
    }),
    nothing,
  )
}
