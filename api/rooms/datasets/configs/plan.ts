import type { NamedFeature } from '../../../../shared/viewer.ts'
import type { DatasetProblem } from '../tables.ts'
import { builderOf, builderOfMembers, isZip, takes, type Builder } from './builders.ts'
import { cardConfigs, cardFeatures, type CardConfig } from './card-configs.ts'
import { DataFiles, type SplitPatterns } from './data-files.ts'
import { PatternFault } from './glob.ts'
import { PlanFault } from './plan-fault.ts'

export interface PlannedSplit {
  name: string
  /** Paths in the order of their rows. */
  files: string[]
}

/** A config as the library would load it. */
export interface PlannedConfig {
  name: string
  isDefault: boolean
  builder: string
  options: Record<string, unknown>
  /** Columns that the card gives: they win over what is inferred. */
  features?: NamedFeature[]
  /** Columns that name a row, as the card declares them. */
  key?: string[]
  splits: PlannedSplit[]
  problem?: DatasetProblem
}

/** What the library would make of the files of a repo: configs with the default one first, or why there are none. */
export interface DatasetPlan {
  configs: PlannedConfig[]
  problem?: DatasetProblem
}

export interface PlanInput {
  paths: Iterable<string>
  /** Name of the repo without its namespace: a script of that name is refused by every client. */
  name: string
  /** The card's metadata, overridden by `.huggingface.yaml`. */
  matter: Record<string, unknown>
  /** Names in the first zip files, which decide on a builder. */
  membersOf?: (paths: string[]) => Promise<string[]>
}

/** Zip files that are looked into. */
const MAX_ZIPS = 10
/** A config with more splits is refused, as the public viewer does. */
const MAX_SPLITS = 30

/** Decides as `load_dataset` does (docs/protocols/datasets.md §1). Never throws for what the repo holds. */
export async function planDataset(input: PlanInput): Promise<DatasetPlan> {
  try {
    return { configs: await planConfigs(input) }
  } catch (error) {
    return { configs: [], problem: problemOf(error) }
  }
}

function problemOf(error: unknown): DatasetProblem {
  if (error instanceof PlanFault) return { code: error.code, message: error.message }
  if (error instanceof PatternFault) return { code: 'ConfigNamesError', message: error.message }
  throw error
}

async function planConfigs({ paths, name, matter, membersOf }: PlanInput): Promise<PlannedConfig[]> {
  const all = [...paths]
  if (all.includes(`${name}.py`))
    throw new PlanFault(
      'DatasetWithScriptNotSupportedError',
      `This dataset is loaded by the script ${name}.py, which current clients refuse to run. Upload its data as Parquet, CSV or JSON and delete the script.`,
    )
  const files = new DataFiles(all)
  const configs = cardConfigs(matter)
  const info = cardFeatures(matter)
  const [first] = configs
  const patterns = first?.patterns ?? files.defaultPatterns()
  const found = filesOf(files, patterns, '')
  const builder = await builderOfAll(found, membersOf)
  if (configs.length === 0) {
    const splits = found.map((split) => ({
      ...split,
      files: split.files.filter((path) => takes(builder.name, path)),
    }))
    const [only] = info.names.length === 1 ? info.names : []
    const features = info.features.get(only ?? 'default')
    return [
      {
        name: 'default',
        isDefault: true,
        builder: builder.name,
        options: builder.options,
        ...(features ? { features } : {}),
        ...checked(splits),
      },
    ]
  }
  const named = info.names.length === 1 ? info.names[0] : undefined
  const hasDefault = configs.some(({ isDefault }) => isDefault)
  return configs
    .map((config) => ({
      ...planConfig(files, config, builder, info.features.get(config.name)),
      isDefault: config.isDefault || (!hasDefault && config.name === named),
    }))
    .sort(defaultFirst)
}

const defaultFirst = (a: PlannedConfig, b: PlannedConfig) =>
  Number(b.isDefault) - Number(a.isDefault) || (a.name < b.name ? -1 : 1)

function planConfig(
  files: DataFiles,
  config: CardConfig,
  builder: Builder,
  ofInfo: NamedFeature[] | undefined,
): PlannedConfig {
  const features = config.features ?? ofInfo
  const planned = {
    name: config.name,
    isDefault: config.isDefault,
    builder: builder.name,
    options: { ...builder.options, ...config.options },
    ...(features ? { features } : {}),
    ...(config.key ? { key: config.key } : {}),
  }
  try {
    const patterns = config.patterns ?? files.defaultPatterns(config.folder)
    return { ...planned, ...checked(filesOf(files, patterns, config.folder)) }
  } catch (error) {
    return { ...planned, splits: [], problem: problemOf(error) }
  }
}

function filesOf(files: DataFiles, patterns: SplitPatterns, folder: string): PlannedSplit[] {
  return [...patterns].map(([name, list]) => {
    const foreign = list.find((pattern) => pattern.includes('://') || pattern.includes('::'))
    if (foreign !== undefined)
      throw new PlanFault(
        'DataFilesNotFoundError',
        `The card names data outside this repo: "${foreign.slice(0, 200)}". Only files of the repo itself are read.`,
      )
    return { name, files: files.findAll(list, folder) }
  })
}

/** What the library would stumble over. */
function checked(splits: PlannedSplit[]): Pick<PlannedConfig, 'splits' | 'problem'> {
  if (splits.length > MAX_SPLITS)
    return {
      splits: [],
      problem: {
        code: 'DatasetWithTooManySplitsError',
        message: `This config has ${splits.length} splits; at most ${MAX_SPLITS} are shown.`,
      },
    }
  const empty = splits.find(({ files }) => files.length === 0)
  if (!empty) return { splits }
  return {
    splits,
    problem: {
      code: 'DataFilesNotFoundError',
      message: `No data files match the patterns of the split ${empty.name}.`,
    },
  }
}

async function builderOfAll(splits: PlannedSplit[], membersOf: PlanInput['membersOf']): Promise<Builder> {
  const builders = new Map<string, Builder | undefined>()
  for (const { name, files } of splits) builders.set(name, await builderOfSplit(files, membersOf))
  const [first] = builders.values()
  const asText = (builder: Builder | undefined) => JSON.stringify(builder)
  if ([...builders.values()].some((builder) => asText(builder) !== asText(first))) {
    const list = [...builders]
      .map(([split, builder]) => `${split}: ${builder?.name ?? 'no data files'}`)
      .join(', ')
    throw new PlanFault(
      'FileFormatMismatchBetweenSplitsError',
      `All splits must have the same file format, but they have: ${list}. Convert the files, or list those to use under \`configs\` in the card.`,
    )
  }
  if (!first)
    throw new PlanFault(
      'DataFilesNotFoundError',
      'No file of this repo has a format that the viewer reads. Upload CSV, JSON, Parquet, text, image or audio files.',
    )
  return first
}

async function builderOfSplit(
  files: string[],
  membersOf: PlanInput['membersOf'],
): Promise<Builder | undefined> {
  const found = builderOf(files)
  if (found !== 'zip') return found
  const zips = files.filter(isZip).slice(0, MAX_ZIPS)
  return membersOf && builderOfMembers(await membersOf(zips))
}
