import type { RepoType } from '../../../shared/vocabulary.ts'
import {
  countedSafetensors,
  countShards,
  mergeShards,
  type ConfigFacts,
  type FileFacts,
  type Quantization,
  type SafetensorsFacts,
} from '../parsers/index.ts'
import { configDigest } from './config-digest.ts'
import type { Findings, RepoFile } from './findings.ts'
import { fileModalities, formatsOf } from './formats.ts'
import { ggufGroups, ggufHeader } from './gguf-findings.ts'
import { libraryOf } from './library.ts'
import { licenceOfText } from './licence-text.ts'
import { processorOfType } from './task.ts'
import { distinct, known } from './words.ts'

/** A revision as its findings are made of. */
export interface Revision {
  type: RepoType
  files: readonly RepoFile[]
  /** What was read of its files, by path. */
  facts: ReadonlyMap<string, FileFacts>
  /** How a LICENSE file begins. */
  licenceText?: string | undefined
}

const MAX_TENSOR_FILES = 10_000
const MAX_NEEDS = 500

/** What the files of a revision say (indexing.md §4). Pure. */
export function findingsOf({ type, files, facts, licenceText }: Revision): Findings {
  const configs = new Map(
    [...facts].flatMap(([path, each]) => (each.format === 'config' ? [[path, each] as const] : [])),
  )
  const config = configs.get('config.json')
  const counted = type === 'model' ? countedParameters(files, facts) : undefined
  const quants = type === 'model' ? ggufGroups(files, facts) : []
  const gguf = ggufHeader(quants, facts)
  const isMlx = config?.isMlx === true || isMadeByMlx(facts)
  const architectures = config?.architectures ?? []
  const quantization = isMlx && config?.isMlx ? 'mlx' : config?.quantization?.method
  const template = templateOf(configs) ?? gguf?.digest.chat_template
  const parameters = counted?.total ?? gguf?.digest.total
  return {
    formats: distinct([...withOptimized(formatsOf(type, files), facts), ...(isMlx ? ['mlx'] : [])]),
    ...known({
      library:
        type === 'model'
          ? libraryOf(files, { isMlx, hasArchitectures: architectures.length > 0 })
          : undefined,
      modelType: config?.modelType,
      contextLength: gguf?.digest.context_length ?? contextOf(configs),
      parameters: parameters === 0 ? undefined : parameters,
      parametersByDtype: counted?.parameters ?? gguf?.parametersByType,
      safetensors: counted,
      gguf: gguf?.digest,
      licence: gguf?.licence ?? (licenceText === undefined ? undefined : licenceOfText(licenceText)),
      relation: relationOf(files, quants.length > 0, quantization),
      quantization,
      quantizationBits: bitsOf(config?.quantization),
      chatTemplate: template,
      tokenizerClass: configs.get('tokenizer_config.json')?.tokenizerClass,
      processor: processorOf(files, config?.modelType),
      config: configDigest(configs),
    }),
    architectures,
    hasVision: config?.hasVision === true,
    hasSpeech: config?.hasSpeech === true,
    // Of two models at one quant, the group's name tells the model as well.
    quants: distinct(quants.map(({ name }) => (name.split(' · ')[0] ?? name).toUpperCase())),
    hasProjector: quants.some(({ projectors }) => projectors.length > 0),
    baseModels: gguf?.baseModels ?? [],
    hasCustomCode: [...configs.values()].some(({ autoMap }) => autoMap !== undefined),
    modalities: type === 'dataset' ? fileModalities(files) : [],
    needs: needsIn(files, configs),
    tensorFiles: files
      .filter(({ path }) => /\.(safetensors|gguf)$/i.test(path))
      .slice(0, MAX_TENSOR_FILES)
      .map(({ path }) => path),
  }
}

function bitsOf(quantization: Quantization | undefined): number | undefined {
  if (!quantization) return undefined
  return quantization.bits ?? quantization.mlx?.packing?.bits ?? (quantization.isLoadIn4Bit ? 4 : undefined)
}

function countedParameters(
  files: readonly RepoFile[],
  facts: ReadonlyMap<string, FileFacts>,
): Findings['safetensors'] {
  const counted = countedSafetensors(files.map(({ path }) => path))
  if (!counted) return undefined
  const read = (path: string) => {
    const found = facts.get(path)
    return found?.format === 'safetensors' ? found : undefined
  }
  if ('index' in counted) {
    const index = facts.get(counted.index)
    if (index?.format !== 'safetensors-index') return undefined
    const folder = counted.index.slice(0, counted.index.lastIndexOf('/') + 1)
    const shards = new Map<string, SafetensorsFacts>()
    for (const path of index.files) {
      const shard = read(folder + path)
      if (shard) shards.set(path, shard)
    }
    if (shards.size < index.files.length) return undefined
    const { parametersByDtype, parameters } = mergeShards(index, shards)
    return { parameters: parametersByDtype, total: parameters }
  }
  const shards = counted.files.map(read).filter((shard) => shard !== undefined)
  if (shards.length < counted.files.length) return undefined
  const { parametersByDtype, parameters } = countShards(shards)
  return { parameters: parametersByDtype, total: parameters }
}

/** The public hub names both. */
function withOptimized(formats: readonly string[], facts: ReadonlyMap<string, FileFacts>): string[] {
  const isOptimized = [...facts.values()].some((each) => each.format === 'parquet' && each.isOptimized)
  return formats.flatMap((format) =>
    format === 'parquet' && isOptimized ? [format, 'optimized-parquet'] : [format],
  )
}

const isMadeByMlx = (facts: ReadonlyMap<string, FileFacts>): boolean =>
  [...facts.values()].some((each) => each.format === 'safetensors' && each.metadata['format'] === 'mlx')

type Configs = ReadonlyMap<string, ConfigFacts>

function contextOf(configs: Configs): number | undefined {
  return configs.get('config.json')?.contextLength ?? configs.get('tokenizer_config.json')?.contextLength
}

function templateOf(configs: Configs): string | undefined {
  const names = ['tokenizer_config.json', 'chat_template.json', 'processor_config.json']
  return names.map((name) => configs.get(name)?.chatTemplate).find((template) => template !== undefined)
}

function relationOf(
  files: readonly RepoFile[],
  hasGguf: boolean,
  quantization: string | undefined,
): Findings['relation'] {
  const has = (pattern: RegExp) => files.some(({ path }) => pattern.test(path))
  if (has(/^adapter_config\.json$/)) return 'adapter'
  if (has(/^mergekit_config\.ya?ml$/)) return 'merge'
  return hasGguf || quantization !== undefined ? 'quantized' : undefined
}

const tokenizerFile =
  /^(tokenizer\.json|tokenizer_config\.json|tokenizer\.model|vocab\.(json|txt)|spiece\.model)$/

function processorOf(files: readonly RepoFile[], modelType: string | undefined): string | undefined {
  const has = (pattern: RegExp) => files.some(({ path }) => pattern.test(path))
  const ofType = processorOfType(modelType)
  if (ofType) return ofType
  if (has(/^processor_config\.json$/)) return 'AutoProcessor'
  if (has(tokenizerFile)) return 'AutoTokenizer'
  return has(/^preprocessor_config\.json$/) ? 'AutoImageProcessor' : undefined
}

/** A tokenizer of another repo is needed only where no file of one lies here. */
function needsIn(files: readonly RepoFile[], configs: Configs): Findings['needs'] {
  const hasTokenizer = files.some(({ path }) => tokenizerFile.test(path))
  const needs = [...configs].flatMap(([path, config]) => config.needs.map((need) => ({ ...need, path })))
  return needs.filter(({ kind }) => kind !== 'tokenizer' || !hasTokenizer).slice(0, MAX_NEEDS)
}
