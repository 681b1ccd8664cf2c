import type { GgufFacts, GgufValue } from './facts.ts'
import { fileTypeName } from './types.ts'

type Meaning = Omit<
  GgufFacts,
  | 'format'
  | 'version'
  | 'isBigEndian'
  | 'metadata'
  | 'tensorCount'
  | 'tensors'
  | 'isTruncated'
  | 'parameters'
  | 'parametersByType'
  | 'bytesByType'
  | 'dataOffset'
  | 'problems'
>

const MAX_BASES = 100
const TEMPLATE = 'tokenizer.chat_template'

/** What the keys of a file say of the model. `token` answers the text of a token by its number. */
export function meaningOf(
  metadata: ReadonlyMap<string, GgufValue>,
  token: (place: number) => string | undefined,
): Meaning {
  const text = (key: string) => ofType(metadata.get(key), 'string')
  const number = (key: string) => ofType(metadata.get(key), 'number')
  const architecture = text('general.architecture')
  const fileType = number('general.file_type')
  const special = (key: string) => {
    const place = number(key)
    return place === undefined ? undefined : token(place)
  }
  const found = {
    architecture,
    name: text('general.name'),
    fileType: fileType === undefined ? undefined : fileTypeName(fileType),
    contextLength: architecture === undefined ? undefined : number(`${architecture}.context_length`),
    chatTemplate: text(TEMPLATE),
    bosToken: special('tokenizer.ggml.bos_token_id'),
    eosToken: special('tokenizer.ggml.eos_token_id'),
    imatrixFile: text('quantize.imatrix.file'),
    license: text('general.license'),
    split: splitOf(number),
  }
  const known = Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined))
  return {
    ...(known as { [K in keyof typeof found]?: NonNullable<(typeof found)[K]> }),
    chatTemplates: Object.fromEntries(namedTemplates(metadata)),
    baseModels: baseModels(text),
    role: roleOf(architecture, text('general.type'), metadata),
  }
}

function splitOf(number: (key: string) => number | undefined): GgufFacts['split'] {
  const count = number('split.count')
  if (count === undefined) return undefined
  const tensors = number('split.tensors.count')
  return { number: number('split.no') ?? 0, count, ...(tensors === undefined ? {} : { tensors }) }
}

function roleOf(
  architecture: string | undefined,
  type: string | undefined,
  metadata: ReadonlyMap<string, GgufValue>,
): GgufFacts['role'] {
  if (type === 'adapter') return 'adapter'
  if (type === 'mmproj' || architecture === 'clip' || metadata.has('clip.has_vision_encoder'))
    return 'projector'
  return type === 'vocab' ? 'vocab' : 'model'
}

function* namedTemplates(metadata: ReadonlyMap<string, GgufValue>): Generator<[string, string]> {
  for (const [key, value] of metadata)
    if (key.startsWith(`${TEMPLATE}.`) && typeof value === 'string')
      yield [key.slice(TEMPLATE.length + 1), value]
}

/** Names of repos, from the addresses that converters write. */
function baseModels(text: (key: string) => string | undefined): string[] {
  const found = new Set<string>()
  for (let i = 0; i < MAX_BASES; i++) {
    const address = text(`general.base_model.${i}.repo_url`)
    if (address === undefined) break
    const name = /^https?:\/\/[^/]+\/([\w.-]{1,96}\/[\w.-]{1,96})\/?$/.exec(address)?.[1]
    if (name !== undefined) found.add(name)
  }
  return [...found]
}

function ofType<T extends 'string' | 'number'>(
  value: unknown,
  type: T,
): (T extends 'string' ? string : number) | undefined {
  return typeof value === type ? (value as T extends 'string' ? string : number) : undefined
}
