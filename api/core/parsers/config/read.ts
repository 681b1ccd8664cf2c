import { Problems } from '../problem.ts'
import { Cursor } from '../reader/cursor.ts'
import type { FileBytes } from '../reader/file-bytes.ts'
import { contextLength } from './context-length.ts'
import type { ConfigFacts } from './facts.ts'
import { needsOf } from './needs.ts'
import { quantizationOf } from './quantization.ts'
import { at, countAt, isMap, mapAt, textAt, textsAt, type Json } from './values.ts'

/** A `tokenizer_config.json` lists added tokens; the largest known has some 10 MB. */
const MAX_BYTES = 32 * 1024 * 1024
const MAX_TEMPLATE = 1024 * 1024
const MAX_TEMPLATES = 100

/** Files of settings that are read, by their names. */
export const configNames: ReadonlySet<string> = new Set([
  'config.json',
  'model_index.json',
  'adapter_config.json',
  'tokenizer_config.json',
  'processor_config.json',
  'preprocessor_config.json',
  'gliner_config.json',
  'chat_template.json',
])

/** Reads a JSON file of settings. `name` is the file's, without folders; it says which keys count. */
export function readConfig(name: string, file: FileBytes): ConfigFacts {
  const problems = new Problems()
  const found = parse(file, problems)
  if (!found) return { format: 'config', needs: [], problems: problems.list() }
  const facts = {
    ...ofModel(name, found),
    ...ofDiffusers(name, found),
    ...ofAdapter(name, found),
    ...ofTokenizer(name, found),
  }
  const known = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined))
  return { format: 'config', ...known, needs: needsOf(name, found), problems: problems.list() }
}

function parse(file: FileBytes, problems: Problems): Json | undefined {
  if (file.sizeBytes > MAX_BYTES) {
    problems.add('config_too_large', `The file has more than ${MAX_BYTES} bytes.`, 'warning')
    return undefined
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(new Cursor(file).take(file.sizeBytes))
    const value: unknown = JSON.parse(text)
    if (isMap(value)) return value
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error
  }
  problems.add('config_not_json', 'The file is no JSON object.', 'warning')
  return undefined
}

function ofModel(name: string, config: Json) {
  const architectures = textsAt(config, 'architectures', 20)
  const quantization = quantizationOf(config)
  const mlx = mapAt(config, 'quantization')
  const isMlx = mlx && (countAt(mlx, 'group_size') !== undefined || quantization?.mlx !== undefined)
  return {
    architectures: architectures.length > 0 ? architectures : undefined,
    modelType: textAt(config, 'model_type'),
    contextLength: name === 'config.json' ? contextLength(config) : undefined,
    hasVision: mapAt(config, 'vision_config') ? true : undefined,
    hasSpeech: at(config, 'num_mel_bins') !== undefined || mapAt(config, 'audio_config') ? true : undefined,
    quantization,
    isMlx: isMlx ? true : undefined,
    autoMap: autoMap(config),
  }
}

function autoMap(config: Json): Record<string, string> | undefined {
  const map = mapAt(config, 'auto_map')
  if (!map) return undefined
  const named = Object.entries(map).map(([key, value]) => [
    key,
    Array.isArray(value) ? (value as unknown[]).find(isText) : value,
  ])
  return Object.fromEntries(named.filter(([, value]) => isText(value)).slice(0, 100)) as Record<
    string,
    string
  >
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.length <= 512

function ofDiffusers(name: string, config: Json) {
  const className = name === 'model_index.json' ? textAt(config, '_class_name') : undefined
  if (className === undefined) return {}
  const components = Object.entries(config).flatMap(([key, value]) =>
    Array.isArray(value) && isText(value[1]) ? [[key, `${String(value[0])}.${value[1]}`]] : [],
  )
  return {
    diffusers: {
      className,
      components: Object.fromEntries(components.slice(0, 100)) as Record<string, string>,
    },
  }
}

function ofAdapter(name: string, config: Json) {
  if (name !== 'adapter_config.json') return {}
  const found = {
    type: textAt(config, 'peft_type'),
    task: textAt(config, 'task_type'),
    base: textAt(config, 'base_model_name_or_path'),
    revision: textAt(config, 'revision'),
  }
  const known = Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined))
  return { peft: known as { [K in keyof typeof found]?: string } }
}

function ofTokenizer(name: string, config: Json) {
  if (name !== 'tokenizer_config.json' && name !== 'processor_config.json' && name !== 'chat_template.json')
    return {}
  const template = at(config, 'chat_template')
  const named = Array.isArray(template)
    ? template.flatMap((each) =>
        isMap(each) ? [[textAt(each, 'name'), textAt(each, 'template', MAX_TEMPLATE)]] : [],
      )
    : []
  const templates = Object.fromEntries(
    named.filter(([key, text]) => key !== undefined && text !== undefined).slice(0, MAX_TEMPLATES),
  ) as Record<string, string>
  // Without templates the context length of a tokenizer says little: most say 10^30.
  const longest = countAt(config, 'model_max_length')
  return {
    tokenizerClass: textAt(config, 'tokenizer_class'),
    chatTemplate: textAt(config, 'chat_template', MAX_TEMPLATE) ?? templates['default'],
    chatTemplates: named.length > 0 ? templates : undefined,
    contextLength:
      name === 'tokenizer_config.json' && longest !== undefined && longest < 1e9 ? longest : undefined,
    specialTokens: specialTokens(config),
  }
}

function specialTokens(config: Json): Record<string, string> | undefined {
  const names = ['bos_token', 'eos_token', 'unk_token', 'pad_token', 'mask_token', 'sep_token', 'cls_token']
  const found = names.flatMap((name) => {
    const token = mapAt(config, name)
    const text = token ? textAt(token, 'content') : textAt(config, name)
    return text === undefined ? [] : [[name, text]]
  })
  return found.length > 0 ? (Object.fromEntries(found) as Record<string, string>) : undefined
}
