import type { Ctx } from '../../../../core/ctx.ts'
import type { DatasetConfig } from '../../facts.ts'
import { notExported, requireConfig, type Viewed } from '../open.ts'
import { optional, type Params } from '../params.ts'
import { isConverted, isPartial, sortConfigs } from './state.ts'
import { ViewerFault } from '../viewer-fault.ts'

const encoded = (path: string) => path.split('/').map(encodeURIComponent).join('/')

function filesOf(ctx: Ctx, { repo, name }: Viewed, config: DatasetConfig) {
  // datasets 2.15 to 3 replace the encoded name of the ref in this very text.
  const base = `${ctx.config.server.public_url}/datasets/${repo.ns}/${repo.name}/resolve/refs%2Fconvert%2Fparquet`
  return config.splits.flatMap((split) =>
    split.files.map(({ path, size }) => ({
      dataset: name,
      config: config.name,
      split: split.name,
      url: `${base}/${encoded(path)}`,
      filename: path.slice(path.lastIndexOf('/') + 1),
      size,
    })),
  )
}

/** `/parquet`: the files of the export. */
export function listParquet(ctx: Ctx, viewed: Viewed, params: Params): unknown {
  const config = optional(params, 'config')
  if (config === undefined) {
    const { ready, pending, failed } = sortConfigs(viewed, 'config-parquet')
    const parquet_files = ready.flatMap((each) => filesOf(ctx, viewed, each))
    return { parquet_files, pending, failed, partial: ready.some(isPartial) }
  }
  const found = requireConverted(viewed, config)
  const features = Object.fromEntries(found.features.map(({ name, type }) => [name, type]))
  return { parquet_files: filesOf(ctx, viewed, found), features, partial: isPartial(found) }
}

/** A config whose every split is exported. */
export function requireConverted(viewed: Viewed, name: string): DatasetConfig {
  const config = requireConfig(viewed, name)
  if (isConverted(config)) return config
  const open = config.splits.find(({ rows }) => rows === null)
  throw open
    ? notExported(viewed, config, open)
    : new ViewerFault(
        'ResponseNotReady',
        'The config is not converted to Parquet yet. Try again in a moment.',
      )
}
