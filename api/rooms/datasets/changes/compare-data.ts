import { join } from 'node:path'
import type { Ctx } from '../../../core/ctx.ts'
import type { Revision } from '../../content/index.ts'
import type { Repo } from '../../repos/index.ts'
import type { PlannedConfig } from '../configs/plan.ts'
import { readPlan, type RevisionPlan } from '../configs/read-plan.ts'
import { Converter } from '../convert/converter.ts'
import type { QueryProcesses } from '../query/engine/processes.ts'
import { schemaChanges, type ConfigChanges, type DataChanges } from './changes.ts'
import { compareSplit } from './compare-rows.ts'
import { differingConfigs, type DifferingConfig } from './differing.ts'
import { readSide } from './side.ts'

/** Longer lists are cut. */
const MAX_CONFIGS = 100
const MAX_SPLITS = 200

/** Two revisions with what is read of each. */
export interface PlannedChanges {
  base: { revision: Revision; plan: RevisionPlan }
  head: { revision: Revision; plan: RevisionPlan }
  configs: DifferingConfig[]
  /** Bytes of the source files that a comparison reads. */
  bytes: number
  truncated: boolean
}

/** Finds what differs by the names and the contents of files, without reading any. */
export async function planChanges(
  ctx: Ctx,
  repo: Repo,
  revisions: { base: Revision; head: Revision },
): Promise<PlannedChanges> {
  const [base, head] = await Promise.all([
    readPlan(ctx, repo, revisions.base),
    readPlan(ctx, repo, revisions.head),
  ])
  const isOff = head.isOff || !ctx.config.viewer.enabled
  const all = isOff || head.problem ? [] : differingConfigs(base, head)
  const configs: DifferingConfig[] = []
  let splits = 0
  for (const config of all.slice(0, MAX_CONFIGS)) {
    splits += config.splits.length
    if (splits > MAX_SPLITS) break
    configs.push(config)
  }
  return {
    base: { revision: revisions.base, plan: base },
    head: { revision: revisions.head, plan: head },
    configs,
    bytes: configs.reduce((sum, config) => sum + bytesOf(config.base, base) + bytesOf(config.head, head), 0),
    truncated: configs.length < all.length,
  }
}

const bytesOf = (config: PlannedConfig | undefined, { files }: RevisionPlan) =>
  (config?.splits ?? [])
    .flatMap((split) => split.files)
    .reduce((sum, path) => sum + (files.get(path)?.sizeBytes ?? 0), 0)

export interface ComparingData {
  processes: QueryProcesses
  deadlineMs: number
  /** For all that the comparison writes; it exists. */
  folder: string
  onRead?: (bytes: number) => Promise<void>
}

/** Reads what differs and tells how, config by config. */
export async function compareData(
  ctx: Ctx,
  repo: Repo,
  planned: PlannedChanges,
  how: ComparingData,
): Promise<DataChanges> {
  const converter = new Converter(how.folder, ctx.signal)
  const read = new Read(how.onRead)
  try {
    const configs: ConfigChanges[] = []
    for (const [i, config] of planned.configs.entries()) {
      const sideOf = async (name: 'base' | 'head') => {
        const of = config[name]
        if (!of || of.splits.length === 0) return undefined
        const { revision, plan } = planned[name]
        const bytes = new Map(
          of.splits.map((split) => [split.name, bytesOf({ ...of, splits: [split] }, plan)]),
        )
        return readSide(ctx, of, {
          repo,
          revision,
          plan,
          converter,
          folder: join(how.folder, `${i}-${name}`),
          progress: (split, share) => read.note(`${i} ${name} ${split}`, share * (bytes.get(split) ?? 0)),
        })
      }
      const sides = { base: await sideOf('base'), head: await sideOf('head') }
      const key = (config.head ?? config.base)?.key ?? []
      const splits = []
      for (const split of config.splits) splits.push(await compareSplit(ctx, split, sides, { ...how, key }))
      const [old, now] = [sides.base?.made.features, sides.head?.made.features]
      configs.push({
        name: config.name,
        status: !config.base ? 'added' : !config.head ? 'removed' : 'changed',
        key,
        schema: old && now ? schemaChanges(old, now) : { added: [], removed: [], changed: [] },
        splits,
      })
    }
    const problem = problemOf(ctx, planned)
    return { configs, truncated: planned.truncated, ...(problem ? { problem } : {}) }
  } finally {
    await converter.close()
  }
}

function problemOf({ config: { viewer } }: Ctx, { head: { plan } }: PlannedChanges): DataChanges['problem'] {
  if (viewer.enabled && !plan.isOff) return plan.problem
  const message = plan.isOff
    ? 'The card turns the viewer of this dataset off (`viewer: false`).'
    : 'The viewer is turned off on this server.'
  return { code: 'NotSupportedDisabledViewerError', message }
}

/** How many bytes of all sides are done. */
class Read {
  readonly #done = new Map<string, number>()
  readonly #report: ((bytes: number) => Promise<void>) | undefined

  constructor(report: ((bytes: number) => Promise<void>) | undefined) {
    this.#report = report
  }

  async note(key: string, bytes: number): Promise<void> {
    this.#done.set(key, bytes)
    await this.#report?.(Math.round([...this.#done.values()].reduce((a, b) => a + b, 0)))
  }
}
