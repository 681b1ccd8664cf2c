import type { FeatureType } from '../../../../../shared/viewer.ts'
import { isKind, isStruct } from '../../features/feature.ts'
import type { DatasetConfig } from '../../facts.ts'
import type { Viewed } from '../open.ts'
import { optional, type Params } from '../params.ts'
import { ViewerFault } from '../viewer-fault.ts'
import { requireConverted } from './parquet.ts'
import { isConverted, isPartial, sortConfigs } from './state.ts'

/**
 * Whether the library may believe us. It takes a wrong count for a broken download and a wrong type for its own, and
 * infers by itself where a config is not in the answer (datasets 5.0.1, load.py).
 */
const isCertain = (config: DatasetConfig): boolean => config.is_exact && isConverted(config)

/** Lists as `datasets` before 4 reads them: it does not know `List`. */
function oldForm(type: FeatureType): unknown {
  if (isStruct(type))
    return Object.fromEntries(Object.entries(type).map(([name, field]) => [name, oldForm(field)]))
  if (isKind(type, 'List', 'LargeList', 'Sequence')) {
    const inner = oldForm(type.feature)
    return isKind(type, 'List') && (type.length ?? -1) < 0 ? [inner] : { ...type, feature: inner }
  }
  return type
}

function infoOf({ repo }: Viewed, config: DatasetConfig) {
  const dataset_name = repo.name.toLowerCase()
  const splits = config.splits.map(({ name, memory_bytes, rows }) => {
    return [name, { name, num_bytes: memory_bytes ?? 0, num_examples: rows ?? 0, dataset_name }] as const
  })
  const bytes = (read: (split: DatasetConfig['splits'][number]) => number | null) =>
    config.splits.reduce((sum, split) => sum + (read(split) ?? 0), 0)
  return {
    description: '',
    citation: '',
    homepage: '',
    license: '',
    features: Object.fromEntries(config.features.map(({ name, type }) => [name, oldForm(type)])),
    builder_name: config.builder ?? 'parquet',
    dataset_name,
    config_name: config.name,
    version: { version_str: '0.0.0', major: 0, minor: 0, patch: 0 },
    splits: Object.fromEntries(splits),
    download_size: config.original_bytes,
    dataset_size: bytes(({ memory_bytes }) => memory_bytes),
  }
}

/** `/info`: what `load_dataset` takes in place of its own inference. */
export function describeInfo(viewed: Viewed, params: Params): unknown {
  const config = optional(params, 'config')
  if (config !== undefined) {
    const found = requireConverted(viewed, config)
    if (!isCertain(found))
      throw new ViewerFault(
        'ResponseNotReady',
        'What this server found may differ from what the datasets library finds. Let the library read the files.',
      )
    return { dataset_info: infoOf(viewed, found), partial: isPartial(found) }
  }
  const { ready, pending, failed } = sortConfigs(viewed, 'config-info', isCertain)
  const dataset_info = Object.fromEntries(ready.map((each) => [each.name, infoOf(viewed, each)]))
  return { dataset_info, pending, failed, partial: ready.some(isPartial) }
}
