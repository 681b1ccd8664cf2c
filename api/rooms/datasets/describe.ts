import { and, eq } from 'drizzle-orm'
import type { Ctx } from '../../core/ctx.ts'
import { checkRevision, openRevision } from '../content/index.ts'
import { requireRepo, type RepoAddress } from '../repos/index.ts'
import { readPlan } from './configs/read-plan.ts'
import { isConverted } from './convert/convert-config.ts'
import { datasetIn, type Dataset } from './facts.ts'

export interface DescribedDataset {
  /** The commit that was asked for, 40-hex. */
  commit: string
  dataset: Pick<Dataset, 'status' | 'problem' | 'converted_commit' | 'job_id'>
  configs: Dataset['configs']
  /** `config\nsplit` of those with statistics. */
  statistics: ReadonlySet<string>
}

/**
 * Configs and splits of a revision. Those of the default branch's head are the converted ones; those of others are read
 * from the card and the names of files now. Problems: those of reading files, `revision-not-found`, `invalid-revision`.
 */
export async function describeDataset(
  ctx: Ctx,
  address: RepoAddress,
  rev: string | undefined,
): Promise<DescribedDataset> {
  const repo = await requireRepo(ctx, address, 'repo.files')
  checkRevision(rev ?? '')
  const revision = await openRevision(ctx, repo.id, rev)
  const { commit } = revision
  const known = await ctx.db.snapshot(async (reading) => {
    const { dataset_answers: a } = reading.t
    const rows = await reading.q
      .select({ config: a.config, split: a.split })
      .from(a)
      .where(and(eq(a.repo_id, repo.id), eq(a.kind, 'statistics')))
    return {
      dataset: await datasetIn(reading, repo.id),
      statistics: new Set(rows.map(({ config, split }) => `${config}\n${split}`)),
    }
  })
  // What an earlier commit failed on says nothing of this one.
  const isOutdated = known.dataset?.configs.length === 0 && known.dataset.commit !== commit
  if (known.dataset && commit === repo.headCommit && !isOutdated)
    return { commit, dataset: known.dataset, configs: known.dataset.configs, statistics: known.statistics }
  return { ...(await plannedDataset(repo, revision, ctx)), commit, statistics: new Set() }
}

async function plannedDataset(
  repo: Parameters<typeof readPlan>[1] & { id: string },
  revision: Parameters<typeof readPlan>[2],
  ctx: Ctx,
): Promise<Pick<DescribedDataset, 'dataset' | 'configs'>> {
  const { viewer } = ctx.config
  const plan = await readPlan(ctx, repo, revision)
  const isOff = plan.isOff || !viewer.enabled
  const status = isOff ? 'disabled' : plan.problem ? 'failed' : 'pending'
  const nothing = { rows: null, estimated_rows: null, parquet_bytes: null, memory_bytes: null, files: [] }
  const configs = plan.configs.map((config, position) => {
    const of = config.problem ? 'failed' : isConverted(config.builder) ? 'pending' : 'unsupported'
    return {
      repo_id: repo.id,
      name: config.name,
      position,
      is_default: config.isDefault,
      builder: config.builder,
      is_exact: false,
      status: of,
      features: config.features ?? [],
      warnings: [],
      problem: config.problem ?? null,
      original_bytes: 0,
      splits: config.splits.map(({ name }, n) => ({
        repo_id: repo.id,
        config: config.name,
        name,
        position: n,
        status: of,
        is_partial: false,
        problem: null,
        ...nothing,
      })),
    } satisfies Dataset['configs'][number]
  })
  const dataset = { status, problem: plan.problem ?? null, converted_commit: null, job_id: null } as const
  return { dataset, configs }
}
