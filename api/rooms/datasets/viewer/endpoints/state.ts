import type { NamedFeature } from '../../../../../shared/viewer.ts'
import { isKind, typesIn } from '../../features/feature.ts'
import type { DatasetConfig, DatasetSplit } from '../../facts.ts'
import { isExported, type Viewed } from '../open.ts'

/** A step that is under way or has failed, in the words of the public viewer. */
export interface Step {
  kind: 'config-parquet' | 'config-info' | 'config-size'
  dataset: string
  config: string
  split: null
}

/** Whether every split of a config has its export. */
export const isConverted = ({ splits }: DatasetConfig): boolean =>
  splits.length > 0 && splits.every(isExported)

export const isPartial = ({ splits }: DatasetConfig): boolean => splits.some(({ is_partial }) => is_partial)

const hasFailed = ({ status }: DatasetConfig): boolean => status === 'failed' || status === 'unsupported'

/** Configs that an endpoint answers for, and those it cannot yet or never. */
export function sortConfigs(
  { dataset, name }: Viewed,
  kind: Step['kind'],
  isReady: (config: DatasetConfig) => boolean = isConverted,
): { ready: DatasetConfig[]; pending: Step[]; failed: Step[] } {
  const ready = dataset.configs.filter(isReady)
  const others = dataset.configs.filter((config) => !isReady(config))
  const step = (config: DatasetConfig): Step => ({ kind, dataset: name, config: config.name, split: null })
  return {
    ready,
    pending: others.filter((config) => !hasFailed(config)).map(step),
    failed: others.filter(hasFailed).map(step),
  }
}

/** Whether a column has text that a search can look through. */
const isSearchable = ({ type }: NamedFeature): boolean =>
  [...typesIn(type)].some(
    (inner) =>
      (isKind(inner, 'Value') && /string/.test(inner.dtype)) ||
      isKind(inner, 'ClassLabel', 'Json', 'Translation', 'TranslationVariableLanguages'),
  )

/** What the viewer can do with a split. */
export function validityOf(config: DatasetConfig, splits: readonly DatasetSplit[]) {
  const viewer = splits.some(isExported) && config.features.length <= 1000
  return {
    preview: viewer,
    viewer,
    search: viewer && config.features.some(isSearchable),
    filter: viewer,
    statistics: viewer,
  }
}
