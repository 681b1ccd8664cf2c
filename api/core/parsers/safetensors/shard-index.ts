import { JsonReader } from '../json/json-reader.ts'
import { textOf } from '../json/utf8.ts'
import { FormatFault, Problems } from '../problem.ts'
import type { FileBytes } from '../reader/file-bytes.ts'
import type { SafetensorsFacts, SafetensorsIndexFacts } from './facts.ts'
import { partedModules } from './mlx.ts'

/** The largest known index has 60 MB. */
const MAX_INDEX_BYTES = 250_000_000
const MAX_FILES = 10_000
/** An index needs two levels. */
const MAX_DEPTH = 64

/** Reads a `*.safetensors.index.json` without keeping its tensors: the distinct files and the totals. */
export function readSafetensorsIndex(file: FileBytes): SafetensorsIndexFacts {
  const problems = new Problems()
  const facts: SafetensorsIndexFacts = {
    format: 'safetensors-index',
    files: [],
    tensorCount: 0,
    problems: [],
  }
  const files = new Set<string>()
  try {
    if (file.sizeBytes > MAX_INDEX_BYTES)
      throw new FormatFault('st_index_too_large', `The index has more than ${MAX_INDEX_BYTES} bytes.`)
    read(new JsonReader(textOf(file, 0, file.sizeBytes), MAX_DEPTH), facts, files, problems)
  } catch (error) {
    if (error instanceof FormatFault)
      problems.add(error.code === 'json' ? 'st_index_not_json' : error.code, error.message)
    else if (error instanceof TypeError) problems.add('st_index_not_json', 'The index is no UTF-8 text.')
    else throw error
  }
  return { ...facts, files: [...files].sort(), problems: problems.list() }
}

function read(json: JsonReader, facts: SafetensorsIndexFacts, files: Set<string>, problems: Problems): void {
  let hasMap = false
  for (const key of json.members()) {
    const kind = json.kind()
    if (key === 'weight_map' && kind === 'object') {
      hasMap = true
      for (const tensor of json.members()) facts.tensorCount += addFile(json, tensor, files, problems)
    } else if (key === 'metadata' && kind === 'object') {
      for (const name of json.members()) {
        const value = json.kind() === 'number' ? Number(json.number()) : void json.skip()
        if (value === undefined || !Number.isSafeInteger(value) || value < 0) continue
        if (name === 'total_size') facts.totalSizeBytes = value
        if (name === 'total_parameters') facts.totalParameters = value
      }
    } else json.skip()
  }
  json.end()
  if (!hasMap) problems.add('st_index_no_map', 'The index has no weight_map.')
}

function addFile(json: JsonReader, tensor: string, files: Set<string>, problems: Problems): number {
  if (json.kind() !== 'string') {
    json.skip()
    problems.add('st_index_no_map', `The index names no file for ${tensor}.`)
    return 0
  }
  const path = json.string()
  if (/(^|[/\\])\.\.([/\\]|$)|^[/\\]|:\/\/|\0/.test(path))
    problems.add('st_index_unsafe_path', `The index leads outside of the repo: ${path}`)
  else if (files.size < MAX_FILES || files.has(path)) files.add(path)
  else problems.add('st_limit', `The index names more than ${MAX_FILES} files.`)
  return 1
}

/** Base of a shard's name, with its number and how many there are. */
export function shardOf(path: string): { base: string; number: number; count: number } | undefined {
  const found = /^(.+)[_-](\d{5,6})-of-(\d{5,6})\.safetensors$/.exec(path)
  return found ? { base: found[1] ?? '', number: Number(found[2]), count: Number(found[3]) } : undefined
}

/** All shards of a model as one. */
export interface MergedSafetensors {
  tensorCount: number
  parameters: number
  parametersByDtype: Record<string, number>
  problems: SafetensorsFacts['problems']
}

/**
 * The shards of an index taken together. `shards` are the headers that are there, by the paths of the index. The
 * self-reported `total_parameters` counts only where it is not above what the headers say.
 */
export function mergeShards(
  index: SafetensorsIndexFacts,
  shards: ReadonlyMap<string, SafetensorsFacts>,
): MergedSafetensors {
  const problems = new Problems()
  for (const problem of index.problems) problems.add(problem.code, problem.message, problem.severity)
  const found: SafetensorsFacts[] = []
  let tensorCount = 0
  for (const path of index.files) {
    const shard = shards.get(path)
    if (!shard) {
      problems.add('st_index_missing_shard', `The index names ${path}, which is missing.`)
      continue
    }
    tensorCount += shard.tensorCount
    found.push(shard)
    for (const { code, message, severity } of shard.problems)
      problems.add(code, `${path}: ${message}`, severity)
  }
  if (tensorCount !== index.tensorCount && !problems.has('st_index_missing_shard'))
    problems.add(
      'st_index_tensor_mismatch',
      `The index names ${index.tensorCount} tensors, its shards have ${tensorCount}.`,
    )
  const { parameters, parametersByDtype } = countShards(found)
  const stated = index.totalParameters ?? parameters
  return {
    tensorCount,
    parameters: Math.min(stated, parameters),
    parametersByDtype,
    problems: problems.list(),
  }
}

/** The parameters of shards taken together, also of modules that they part. */
export function countShards(
  shards: readonly SafetensorsFacts[],
): Pick<MergedSafetensors, 'parameters' | 'parametersByDtype'> {
  const byDtype = new Map<string, number>()
  const add = (dtype: string, count: number) => byDtype.set(dtype, (byDtype.get(dtype) ?? 0) + count)
  for (const { parametersByDtype } of shards)
    for (const [dtype, count] of Object.entries(parametersByDtype)) add(dtype, count)
  for (const [dtype, count] of partedModules(shards.flatMap(({ mlxParts }) => mlxParts ?? [])))
    if (add(dtype, count).get(dtype) === 0) byDtype.delete(dtype)
  return {
    parameters: [...byDtype.values()].reduce((sum, count) => sum + count, 0),
    parametersByDtype: Object.fromEntries(byDtype),
  }
}
