import type { Ctx } from '../../../core/ctx.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { requireRepo, type Repo } from '../../repos/index.ts'
import { readDataset, type Dataset, type DatasetConfig, type DatasetSplit } from '../facts.ts'
import { required, type Params } from './params.ts'
import { faultOf, ViewerFault } from './viewer-fault.ts'

/** A dataset that the caller may see the rows of. */
export interface Viewed {
  repo: Repo
  /** `ns/name` as the repo is spelled. */
  name: string
  dataset: Dataset
  /** Commit that answers about rows are built from. */
  revision: string
}

const absent = (ctx: Ctx) =>
  new ViewerFault(
    ctx.actor.kind === 'anonymous' ? 'ExternalUnauthenticatedError' : 'ExternalAuthenticatedError',
    'The dataset does not exist, or is not accessible with these credentials (private or gated).',
  )

/** The repo of the parameter `dataset`. What is hidden, gated or has moved answers as absent. */
export async function requireViewed(ctx: Ctx, params: Params): Promise<Repo> {
  const [ns = '', name = '', ...more] = required(params, 'dataset').split('/')
  if (more.length > 0) throw absent(ctx)
  try {
    return await requireRepo(ctx, { type: 'dataset', ns, name }, 'repo.files')
  } catch (error) {
    if (error instanceof Problem && error.status < 500) throw absent(ctx)
    throw error
  }
}

/** The dataset of the parameters, with what is known of its configs and splits. */
export async function openViewed(ctx: Ctx, repo: Repo): Promise<Viewed> {
  if (!ctx.config.viewer.enabled)
    throw new ViewerFault(
      'NotSupportedDisabledViewerError',
      'The dataset viewer is turned off on this server.',
    )
  const dataset = await readDataset(ctx.db, repo.id)
  if (!dataset)
    throw new ViewerFault('ResponseNotReady', 'The dataset has not been read yet. Try again in a moment.')
  const revision = dataset.converted_commit ?? dataset.commit
  const viewed = { repo, name: `${repo.ns}/${repo.name}`, dataset, revision }
  const fault = datasetFault(dataset)
  if (fault) throw Object.assign(fault, { revision: dataset.commit })
  return viewed
}

/** Why nothing of a dataset can be shown; nothing where at least its configs are known. */
function datasetFault({ status, problem, configs }: Dataset): ViewerFault | undefined {
  if (status === 'disabled')
    return new ViewerFault(
      'NotSupportedDisabledViewerError',
      problem?.message ?? 'The card of this dataset turns the viewer off.',
    )
  if (configs.length > 0) return undefined
  if (problem) return faultOf(problem)
  if (status === 'pending' || status === 'converting')
    return new ViewerFault('ResponseNotReady', 'The dataset is being read. Try again in a moment.')
  return new ViewerFault('EmptyDatasetError', 'The dataset has no data files.')
}

/** A config by its name. */
export function requireConfig({ dataset }: Viewed, name: string): DatasetConfig {
  const config = dataset.configs.find((each) => each.name === name)
  if (!config) throw new ViewerFault('ResponseNotFound', `The dataset has no config '${name}'.`)
  return config
}

/** A split by its name. */
export function requireSplit(config: DatasetConfig, name: string): DatasetSplit {
  const split = config.splits.find((each) => each.name === name)
  if (!split) throw new ViewerFault('ResponseNotFound', `The config '${config.name}' has no split '${name}'.`)
  return split
}

/** Whether a split has an export, so that its rows can be read. */
export const isExported = ({ rows }: Pick<DatasetSplit, 'rows'>): boolean => rows !== null

/** Why a split without an export has none. */
export function notExported(viewed: Viewed, config: DatasetConfig, split: DatasetSplit): ViewerFault {
  const problem = split.problem ?? config.problem ?? viewed.dataset.problem
  return problem
    ? faultOf(problem)
    : new ViewerFault('ResponseNotReady', 'The split is not converted to Parquet yet. Try again in a moment.')
}
