import { posix } from 'node:path'
import type { Ctx } from '../../../core/ctx.ts'
import {
  FileFailure,
  formatOf,
  ggufNameProblems,
  ggufShardOf,
  mergeShards,
  tensorBytes,
  type FileFacts,
  type FileProblem,
  type GgufFacts,
  type Quantization,
  type SafetensorsFacts,
  type SafetensorsIndexFacts,
} from '../../../core/parsers/index.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { openFileAt, type OpenedFile, type Revision } from '../../content/index.ts'
import type { Repo } from '../../repos/index.ts'
import { readFacts } from '../kept/kept-facts.ts'

/** The largest models have a few hundred. */
const MAX_SHARDS = 2000
/** Headers read at once. */
const LANES = 4
/** Tensors in memory of one answer. The largest known model has 92 000. */
const MAX_TENSORS = 250_000

/** One tensor, and where its bytes lie. */
export interface Tensor {
  name: string
  dtype: string
  shape: number[]
  /** Absent for a type of GGUF that is not known. */
  sizeBytes?: number
  /** Its file, as a place in `files`. */
  file: number
  /** From the beginning of the file. */
  offset: number
}

/** A value of a header: text and numbers, and arrays by their length and first items. */
export type HeaderValue = GgufFacts['metadata'][number][1]

/** One file whose header was read. */
export interface HeaderFile {
  file: OpenedFile
  facts: SafetensorsFacts | GgufFacts
}

/** The tensors of a file, or of all shards that it names. */
export interface TensorSet {
  format: 'safetensors' | 'gguf'
  files: HeaderFile[]
  metadata: [key: string, value: HeaderValue][]
  /** In the order of files and their headers. */
  tensors: Tensor[]
  tensorCount: number
  parameters: number
  parametersByDtype: Record<string, number>
  problems: FileProblem[]
  /** There are more tensors than `tensors`. */
  isTruncated: boolean
}

/** Whether files of this path have a header of tensors: safetensors, an index of shards, or GGUF. */
export const hasTensors = (path: string): boolean => {
  const format = formatOf(path)
  return format !== undefined && format !== 'config'
}

/**
 * Reads the headers of a safetensors or GGUF file, of all shards that an index names, or of all shards that follow the
 * first of GGUF. Only headers are read, whatever the size of the files. A missing shard is a problem in the answer.
 * Problems: those of `openFileAt`; `validation-failed` for a path without a header, and for a header that takes too long.
 */
export async function openTensors(
  ctx: Ctx,
  repo: Repo,
  revision: Revision,
  path: string,
): Promise<TensorSet> {
  const file = await openFileAt(ctx, repo, revision, path)
  if (!hasTensors(path))
    throw new Problem('validation-failed', {
      detail: `"${path}" has no header of tensors. Ask for a .safetensors, .safetensors.index.json or .gguf file.`,
    })
  const quantization = await quantizationOf(ctx, repo, revision)
  const facts = await factsOf(ctx, file, quantization)
  if (facts.format === 'config' || facts.format === 'parquet')
    throw new Error(`a path of ${facts.format} has no tensors`)
  if (facts.format !== 'safetensors-index') {
    if (facts.format !== 'gguf') return merged([{ file, facts }], [])
    const others = await ggufShards(ctx, { repo, revision }, path)
    const problems = [...ggufNameProblems(path, facts), ...others.problems]
    return merged([{ file, facts }, ...others.files], problems)
  }
  const paths = facts.files.slice(0, MAX_SHARDS)
  const places = paths.map((name) => posix.join(posix.dirname(path), name))
  const shards = await openShards(ctx, { repo, revision }, places, quantization)
  const files = shards.files.filter((shard) => shard.facts.format === 'safetensors')
  const byName = new Map(
    files.flatMap(({ file, facts }) => {
      const name = paths[places.indexOf(file.path)]
      return name !== undefined && facts.format === 'safetensors' ? [[name, facts] as const] : []
    }),
  )
  const { parameters, parametersByDtype, problems } = mergeShards(facts, byName)
  const set = merged(files, [])
  return {
    ...set,
    format: 'safetensors',
    ...indexMetadata(facts, set),
    parameters,
    parametersByDtype,
    problems,
  }
}

/** What an index says of all shards comes before what the shards say. */
function indexMetadata(
  { totalSizeBytes, totalParameters }: SafetensorsIndexFacts,
  { metadata }: TensorSet,
): Pick<TensorSet, 'metadata'> {
  const stated: TensorSet['metadata'] = []
  if (totalSizeBytes !== undefined) stated.push(['total_size', totalSizeBytes])
  if (totalParameters !== undefined) stated.push(['total_parameters', totalParameters])
  return { metadata: [...stated, ...metadata] }
}

interface Shards {
  files: HeaderFile[]
  problems: FileProblem[]
}

const noShards: Shards = { files: [], problems: [] }

/** The shards that follow the first one, by its name. */
async function ggufShards(ctx: Ctx, at: { repo: Repo; revision: Revision }, path: string): Promise<Shards> {
  const first = ggufShardOf(path)
  if (!first || first.number !== 1 || first.count < 2) return noShards
  const count = Math.min(first.count, MAX_SHARDS)
  const number = (n: number) => String(n).padStart(5, '0')
  const paths = Array.from(
    { length: count - 1 },
    (_, i) => `${first.prefix}-${number(i + 2)}-of-${number(first.count)}.gguf`,
  )
  const { files, missing } = await openShards(ctx, at, paths)
  const problems = missing.map((name): FileProblem => ({
    code: 'split_incomplete',
    message: `The shard ${name} is missing.`,
    severity: 'error',
  }))
  return { files, problems: problems.slice(0, 20) }
}

async function openShards(
  ctx: Ctx,
  { repo, revision }: { repo: Repo; revision: Revision },
  paths: readonly string[],
  quantization?: Quantization,
): Promise<{ files: HeaderFile[]; missing: string[] }> {
  const files: HeaderFile[] = []
  const missing: string[] = []
  const open = async (path: string): Promise<HeaderFile | undefined> => {
    try {
      const file = await openFileAt(ctx, repo, revision, path)
      const facts = await factsOf(ctx, file, quantization)
      return facts.format === 'safetensors' || facts.format === 'gguf' ? { file, facts } : undefined
    } catch (error) {
      // Of a mirror that holds a part, and of an index that names too much; a store that fails is another matter.
      if (error instanceof Problem && absent.has(error.code)) return undefined
      throw error
    }
  }
  for (let i = 0; i < paths.length; i += LANES) {
    ctx.signal.throwIfAborted()
    const some = paths.slice(i, i + LANES)
    for (const [n, found] of (await Promise.all(some.map(open))).entries())
      if (found) files.push(found)
      else missing.push(some[n] ?? '')
  }
  return { files, missing }
}

const absent = new Set(['entry-not-found', 'lfs-object-missing', 'validation-failed'])

function merged(files: HeaderFile[], problems: FileProblem[]): TensorSet {
  const tensors: Tensor[] = []
  const byDtype = new Map<string, number>()
  let [tensorCount, parameters] = [0, 0]
  for (const [place, { facts }] of files.entries()) {
    tensorCount += facts.tensorCount
    parameters += facts.parameters
    const counts = facts.format === 'gguf' ? facts.parametersByType : facts.parametersByDtype
    for (const [dtype, count] of Object.entries(counts)) byDtype.set(dtype, (byDtype.get(dtype) ?? 0) + count)
    const room = MAX_TENSORS - tensors.length
    if (facts.format === 'gguf')
      for (const { name, type, shape, offset } of facts.tensors.slice(0, room)) {
        const sizeBytes = tensorBytes(type, shape)
        const size = sizeBytes === undefined ? {} : { sizeBytes }
        tensors.push({ name, dtype: type, shape, ...size, file: place, offset: facts.dataOffset + offset })
      }
    else
      for (const { name, dtype, shape, begin, end } of facts.tensors.slice(0, room))
        tensors.push({
          name,
          dtype,
          shape,
          sizeBytes: end - begin,
          file: place,
          offset: 8 + facts.headerBytes + begin,
        })
  }
  const first = files[0]?.facts
  return {
    format: first?.format ?? 'safetensors',
    files,
    metadata: first?.format === 'gguf' ? first.metadata : Object.entries(first?.metadata ?? {}),
    tensors,
    tensorCount,
    parameters,
    parametersByDtype: Object.fromEntries(byDtype),
    problems: [...files.flatMap(({ facts }) => facts.problems), ...problems],
    isTruncated: tensors.length < tensorCount,
  }
}

/** How parameters count depends on the configuration beside them. */
async function quantizationOf(ctx: Ctx, repo: Repo, revision: Revision): Promise<Quantization | undefined> {
  try {
    const facts = await readFacts(ctx, await openFileAt(ctx, repo, revision, 'config.json'))
    return facts?.format === 'config' ? facts.quantization : undefined
  } catch (error) {
    if (error instanceof FileFailure || (error instanceof Problem && absent.has(error.code))) return undefined
    throw error
  }
}

async function factsOf(ctx: Ctx, file: OpenedFile, quantization?: Quantization): Promise<FileFacts> {
  try {
    const facts = await readFacts(ctx, file, quantization)
    if (facts) return facts
  } catch (error) {
    if (!(error instanceof FileFailure)) throw error
    throw new Problem('validation-failed', {
      detail: `The header of "${file.path}" cannot be read. ${error.message}`,
      cause: error,
    })
  }
  throw new Problem('validation-failed', { detail: `"${file.path}" has no header that is read.` })
}
