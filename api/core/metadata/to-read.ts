import type { RepoType } from '../../../shared/vocabulary.ts'
import { countedSafetensors, quantGroups, quantLabel, type FileFacts } from '../parsers/index.ts'
import type { RepoFile } from './findings.ts'

const settings = [
  'config.json',
  'adapter_config.json',
  'model_index.json',
  'tokenizer_config.json',
  'processor_config.json',
  'preprocessor_config.json',
  'gliner_config.json',
  'chat_template.json',
]

/** Headers of one model; the largest known has some 200 shards. */
const MAX_SHARDS = 1000
const MAX_UNLABELLED = 50

/**
 * The files of a model that its metadata is read from: settings at the root, the safetensors that count, and GGUF files
 * of one quant (the others have the same parameters). `config.json` comes first: how parameters count depends on it.
 * What an index of shards names follows by `shardsToRead`. Of a dataset, one Parquet file.
 */
export function filesToRead(type: RepoType, files: readonly RepoFile[]): string[] {
  if (type === 'dataset') return firstTable(files)
  const paths = files.map(({ path }) => path)
  const all = new Set(paths)
  const counted = countedSafetensors(paths)
  const weights = !counted ? [] : 'index' in counted ? [counted.index] : counted.files
  return [...settings.filter((path) => all.has(path)), ...weights.slice(0, MAX_SHARDS), ...ggufToRead(files)]
}

/** As on the public hub, the first Parquet file tells how all are written. */
function firstTable(files: readonly RepoFile[]): string[] {
  const first = files.find(({ path }) => /\.parquet$/i.test(path))
  return first ? [first.path] : []
}

function ggufToRead(files: readonly RepoFile[]): string[] {
  const gguf = files.filter(({ path }) => /\.gguf$/i.test(path))
  const groups = quantGroups(gguf.map(({ path, sizeBytes }) => ({ path, sizeBytes })))
  // The fewest files; of those the largest quant.
  const [chosen] = groups.toSorted((a, b) => a.files.length - b.files.length)
  const unlabelled = groups.flatMap(({ files: [first] }) =>
    first !== undefined && quantLabel(first) === undefined ? [first] : [],
  )
  return [...new Set([...(chosen?.files ?? []).slice(0, MAX_SHARDS), ...unlabelled.slice(0, MAX_UNLABELLED)])]
}

/** The shards that the index among what was read names, where the repo has them. */
export function shardsToRead(files: readonly RepoFile[], facts: ReadonlyMap<string, FileFacts>): string[] {
  const all = new Set(files.map(({ path }) => path))
  const counted = countedSafetensors([...all])
  if (!counted || !('index' in counted)) return []
  const index = facts.get(counted.index)
  if (index?.format !== 'safetensors-index') return []
  const folder = counted.index.slice(0, counted.index.lastIndexOf('/') + 1)
  return index.files
    .map((path) => folder + path)
    .filter((path) => all.has(path))
    .slice(0, MAX_SHARDS)
}
