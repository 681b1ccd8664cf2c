import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { NamedFeature } from '../../../../shared/viewer.ts'
import { howLarge, howMany } from '../../../core/jobs/index.ts'
import type { PlannedConfig, PlannedSplit } from '../configs/plan.ts'
import type { DatasetProblem } from '../tables.ts'
import { ConversionFault } from './converter.ts'
import { convertFolder, folderBuilders } from './folder-split.ts'
import { statusOf, unmade, type MadeConfig, type MadeSplit } from './made.ts'
import { convertParquet } from './parquet-split.ts'
import { MissingBytes } from './sources.ts'
import type { Conversion, SplitResult, SplitTask } from './split-task.ts'
import { convertBinary, convertText } from './table-split.ts'

type ConvertSplit = (task: SplitTask) => Promise<SplitResult>

const builders: Record<string, ConvertSplit> = {
  csv: convertText,
  json: convertText,
  text: convertText,
  xml: convertText,
  parquet: convertParquet,
  arrow: convertBinary,
  webdataset: convertBinary,
  ...Object.fromEntries(folderBuilders.map((name) => [name, convertFolder])),
}

/** Whether files of a builder are converted here. */
export const isConverted = (builder: string): boolean => Object.hasOwn(builders, builder)

/**
 * Converts a config split by split. What its files or the card do wrong is noted with the split; throws what may pass, and
 * `quota-exceeded`.
 */
export async function convertConfig(conversion: Conversion, config: PlannedConfig): Promise<MadeConfig> {
  const { files } = conversion
  const originalBytes = config.splits
    .flatMap((split) => split.files)
    .reduce((sum, path) => sum + (files.get(path)?.sizeBytes ?? 0), 0)
  const convert = builders[config.builder]
  const base = { name: config.name, isDefault: config.isDefault, builder: config.builder, originalBytes }
  const problem = config.problem ?? (convert ? undefined : unsupported(config.builder))
  if (problem || !convert) {
    const status = config.problem ? 'failed' : 'unsupported'
    const splits = config.splits.map(({ name }) => unmade(name, status, problem ?? null))
    if (problem) conversion.log(`${config.name} is left out (${problem.code}): ${problem.message}`)
    return {
      ...base,
      isExact: false,
      status,
      features: config.features ?? [],
      warnings: [],
      problem: problem ?? null,
      splits,
    }
  }
  let features = config.features
  const [warnings, splits] = [new Set<string>(), [] as MadeSplit[]]
  let isExact = true
  for (const split of config.splits) {
    const made = await convertSplit(conversion, config, split, { features, convert })
    splits.push(made.split)
    features ??= made.result?.features
    if (!made.result?.isExact) isExact = false
    for (const warning of made.result?.warnings ?? []) warnings.add(warning)
  }
  const failed = splits.find((split) => split.problem)?.problem ?? null
  return {
    ...base,
    isExact: isExact && !failed,
    status: statusOf(splits),
    features: features ?? [],
    warnings: [...warnings],
    problem: failed,
    splits,
  }
}

const unsupported = (builder: string): DatasetProblem => ({
  code: 'NoSupportedFeaturesError',
  message: `Files of the kind "${builder}" are not shown by this server. Their downloads work as those of any file.`,
})

async function convertSplit(
  conversion: Conversion,
  config: PlannedConfig,
  split: PlannedSplit,
  { features, convert }: { features: NamedFeature[] | undefined; convert: ConvertSplit },
): Promise<{ split: MadeSplit; result?: SplitResult }> {
  const folder = join(conversion.folder, 'split')
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const sources = split.files.flatMap((path) => conversion.files.get(path) ?? [])
  const about = `${config.name} / ${split.name}`
  const bytes = sources.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  conversion.log(`${about} begins: ${howMany(sources.length, `${config.builder} file`)}, ${howLarge(bytes)}.`)
  try {
    const result = await convert({ ...conversion, config, split, sources, features, folder })
    const { isPartial, rows, estimatedRows, memoryBytes, files } = result
    const made = { isPartial, rows, estimatedRows, memoryBytes, files }
    const part = isPartial ? ', the first part of it' : ''
    conversion.log(`${about} has ${howMany(rows ?? 0, 'row')}${part}, in ${howMany(files.length, 'file')}.`)
    for (const warning of result.warnings) conversion.log(`${about}: ${warning}`)
    return {
      split: { name: split.name, status: made.isPartial ? 'partial' : 'ready', problem: null, ...made },
      result,
    }
  } catch (error) {
    const problem = problemOf(error)
    if (!problem) throw error
    conversion.log(`${about} failed (${problem.code}): ${problem.message}`)
    return { split: unmade(split.name, error instanceof MissingBytes ? 'missing_files' : 'failed', problem) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function problemOf(error: unknown): DatasetProblem | undefined {
  if (error instanceof ConversionFault) return { code: error.code, message: error.message }
  if (error instanceof MissingBytes)
    return {
      code: 'DataFilesNotFoundError',
      message: `The file ${error.path} has not been pulled from the upstream. Ask an admin of the repo to pull it.`,
    }
  return undefined
}
