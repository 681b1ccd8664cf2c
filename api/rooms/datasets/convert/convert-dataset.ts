import { and, eq } from 'drizzle-orm'
import type { Ctx } from '../../../core/ctx.ts'
import { howMany, type RunningJob } from '../../../core/jobs/index.ts'
import { loadVocabulary } from '../../../core/metadata/index.ts'
import { Problem } from '../../../platform/problems/index.ts'
import type { Tx } from '../../../stores/db/index.ts'
import type { Revision } from '../../content/index.ts'
import { refreshMetadata, type Repo } from '../../repos/index.ts'
import { PLAN_VERSION, readPlan, type RevisionPlan } from '../configs/read-plan.ts'
import { readDataset, type Dataset } from '../facts.ts'
import { convertConfig, isConverted } from './convert-config.ts'
import { Converter } from './converter.ts'
import { landExport } from './land-export.ts'
import { statusOf, unmade, type MadeConfig } from './made.ts'
import { datasetRow, dropAnswers, recordConfigs, recordDataset, recordPreview } from './record.ts'
import type { Conversion } from './split-task.ts'
import { StoredFiles } from './store-files.ts'

/** What became of a conversion. `unchanged`: nothing that the export depends on has changed. */
export interface ConvertOutcome {
  outcome: 'converted' | 'unchanged' | 'disabled' | 'gone'
  commit?: string
  status?: string
  rows?: number
}

interface Run {
  repo: Repo
  revision: Revision
  job: RunningJob
  folder: string
}

/** Converts a revision, and makes it the export of its repo. Repeatable: each run replaces what there is at its end. */
export async function convertDataset(ctx: Ctx, run: Run): Promise<ConvertOutcome> {
  const { repo, revision, job } = run
  const { commit } = revision
  const plan = await readPlan(ctx, repo, revision)
  const before = await readDataset(ctx.db, repo.id)
  const at = { repoId: repo.id, commit, now: ctx.now() }
  if (!ctx.config.viewer.enabled || plan.isOff) {
    const message = plan.isOff
      ? 'The card turns the viewer of this dataset off (`viewer: false`).'
      : 'The viewer is turned off on this server.'
    const problem = { code: 'NotSupportedDisabledViewerError', message }
    job.log(message)
    return finish(ctx, run, plan, { configs: [], status: 'disabled', problem, outcome: 'disabled' })
  }
  if (before && isCurrent(before, plan)) {
    job.log('Nothing that the export depends on has changed.')
    await job.write(async (tx) => {
      const state = { status: before.status, problem: before.problem, jobId: before.job_id }
      const converted = { commit, exportCommit: before.export_commit }
      await recordDataset(tx, datasetRow(at, plan, { ...state, converted }))
    })
    return { outcome: 'unchanged', commit, status: before.status }
  }
  await begin(ctx, run, plan, before)
  if (plan.problem) {
    job.log(`The data cannot be read (${plan.problem.code}): ${plan.problem.message}`)
    const status = plan.problem.code === 'DatasetWithScriptNotSupportedError' ? 'unsupported' : 'failed'
    return finish(ctx, run, plan, { configs: [], status, problem: plan.problem, outcome: 'converted' })
  }
  return convertAll(ctx, run, plan, before)
}

/** Whether the export is of the same inputs, and nothing was missing. */
const isCurrent = (before: Dataset, { inputs }: RevisionPlan): boolean =>
  before.inputs === inputs &&
  before.version === PLAN_VERSION &&
  before.converted_commit !== null &&
  before.status !== 'missing_files' &&
  before.status !== 'converting' &&
  before.status !== 'disabled'

/** Shows the configs at once where there were none; those of an earlier export stay until there is a new one. */
async function begin(
  ctx: Ctx,
  { repo, revision, job }: Run,
  plan: RevisionPlan,
  before: Dataset | undefined,
) {
  const at = { repoId: repo.id, commit: revision.commit, now: ctx.now() }
  const isFirst = (before?.converted_commit ?? null) === null
  await job.write(async (tx) => {
    if (!isFirst) {
      const { datasets: d } = tx.t
      await tx.q.update(d).set({ job_id: job.id, updated_at: ctx.now() }).where(eq(d.repo_id, repo.id))
      return
    }
    await recordDataset(tx, { ...datasetRow(at, plan, { status: 'converting', jobId: job.id }), inputs: '' })
    await recordConfigs(
      tx,
      repo.id,
      plan.configs.map((config) => planned(config, plan)),
    )
  })
}

function planned(config: RevisionPlan['configs'][number], { files }: RevisionPlan): MadeConfig {
  const status = config.problem ? 'failed' : isConverted(config.builder) ? 'converting' : 'unsupported'
  const paths = config.splits.flatMap((split) => split.files)
  return {
    name: config.name,
    isDefault: config.isDefault,
    builder: config.builder,
    isExact: false,
    status,
    features: config.features ?? [],
    warnings: [],
    problem: config.problem ?? null,
    originalBytes: paths.reduce((sum, path) => sum + (files.get(path)?.sizeBytes ?? 0), 0),
    splits: config.splits.map(({ name }) => unmade(name, status, null)),
  }
}

async function convertAll(
  ctx: Ctx,
  run: Run,
  plan: RevisionPlan,
  before: Dataset | undefined,
): Promise<ConvertOutcome> {
  const { repo, revision, job, folder } = run
  const { snapshot, commit } = revision
  const converter = new Converter(folder, ctx.signal)
  const stored = new StoredFiles(ctx, job, repo.id)
  const bytes = new Bytes(job, plan)
  const isFirst = (before?.converted_commit ?? null) === null
  const conversion: Conversion = {
    ctx,
    root: `hf://datasets/${repo.ns}/${repo.name}@${commit}/`,
    snapshot,
    files: plan.files,
    converter,
    stored,
    folder,
    progress: (config, split, share) => bytes.note(`${config}\n${split}`, share),
    log: (text) => job.log(text),
    preview: async (config, split, { body, features }) => {
      await job.write(async (tx) => {
        const at = { repoId: repo.id, config: config.name, split: split.name, commit }
        if (body !== undefined) await recordPreview(tx, at, body)
        if (isFirst) await recordFeatures(tx, repo.id, config.name, features)
      })
    },
  }
  try {
    const configs: MadeConfig[] = []
    job.log(`Commit ${commit} has ${howMany(plan.configs.length, 'config')}.`)
    for (const config of plan.configs) {
      configs.push(await convertConfig(conversion, config))
      await bytes.end(config)
    }
    const status = configs.length === 0 ? 'failed' : statusOf(configs)
    const problem = configs.every((config) => config.problem) ? (configs[0]?.problem ?? null) : null
    return await finish(ctx, run, plan, { configs, status, problem, outcome: 'converted', stored })
  } catch (error) {
    await stored.discard()
    if (error instanceof Problem && error.code === 'quota-exceeded') await noteQuota(ctx, run, plan, error)
    throw error
  } finally {
    await converter.close()
  }
}

async function recordFeatures(
  tx: Tx,
  repoId: string,
  name: string,
  features: MadeConfig['features'],
): Promise<void> {
  const { dataset_configs: c } = tx.t
  await tx.q
    .update(c)
    .set({ features })
    .where(and(eq(c.repo_id, repoId), eq(c.name, name)))
}

/** The export has no room. The repo and its first rows stay as they are, and the status says what to do. */
async function noteQuota(
  ctx: Ctx,
  { repo, job, revision }: Run,
  plan: RevisionPlan,
  { detail }: Problem,
): Promise<void> {
  const message = `The Parquet export needs more storage than the quota leaves: ${detail ?? ''} Free space or have the quota raised, then retry the job.`
  const at = { repoId: repo.id, commit: revision.commit, now: ctx.now() }
  const state = {
    status: 'failed' as const,
    jobId: job.id,
    problem: { code: 'DatasetGenerationError', message },
  }
  await job.write((tx) => recordDataset(tx, { ...datasetRow(at, plan, state), inputs: '' }))
}

interface Finished {
  configs: MadeConfig[]
  status: Dataset['status']
  problem: Dataset['problem']
  outcome: ConvertOutcome['outcome']
  stored?: StoredFiles
}

async function finish(ctx: Ctx, run: Run, plan: RevisionPlan, done: Finished): Promise<ConvertOutcome> {
  const { repo, revision, job } = run
  const { commit } = revision
  const { configs, status, problem, outcome } = done
  const stored = done.stored ?? new StoredFiles(ctx, job, repo.id)
  const vocabulary = await loadVocabulary()
  await landExport(ctx, job, {
    repoId: repo.id,
    configs,
    stored,
    source: commit,
    alongside: async (tx, exportCommit) => {
      const at = { repoId: repo.id, commit, now: ctx.now() }
      const converted = { commit, exportCommit }
      await recordDataset(tx, datasetRow(at, plan, { status, problem, jobId: job.id, converted }))
      await recordConfigs(tx, repo.id, configs)
      await dropAnswers(tx, repo.id, commit)
      await refreshMetadata(tx, repo.id, vocabulary)
    },
  })
  if (outcome === 'converted')
    job.log(
      `The export is written: ${howMany(
        configs.flatMap(({ splits }) => splits).flatMap(({ files }) => files).length,
        'file',
      )}.`,
    )
  const rows = configs.flatMap(({ splits }) => splits).reduce((sum, split) => sum + (split.rows ?? 0), 0)
  return { outcome, commit, status, rows }
}

/** How many bytes of the source files are done, over all splits. */
class Bytes {
  readonly #job: RunningJob
  readonly #sizes = new Map<string, number>()
  readonly #done = new Map<string, number>()

  constructor(job: RunningJob, { configs, files }: RevisionPlan) {
    this.#job = job
    for (const config of configs)
      for (const split of config.splits)
        this.#sizes.set(
          `${config.name}\n${split.name}`,
          split.files.reduce((sum, path) => sum + (files.get(path)?.sizeBytes ?? 0), 0),
        )
  }

  async note(key: string, share: number): Promise<void> {
    this.#done.set(key, share * (this.#sizes.get(key) ?? 0))
    const sum = (numbers: Iterable<number>) => [...numbers].reduce((a, b) => a + b, 0)
    await this.#job.progress(sum(this.#done.values()), sum(this.#sizes.values()))
  }

  async end({ name, splits }: RevisionPlan['configs'][number]): Promise<void> {
    for (const split of splits) await this.note(`${name}\n${split.name}`, 1)
  }
}
