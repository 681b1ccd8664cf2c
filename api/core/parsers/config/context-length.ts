import { at, countAt, isMap, mapAt, type Json } from './values.ts'

/** How many tokens a model reads, by the names that architectures have for it (indexing.md §4). */
const keys = [
  'max_position_embeddings',
  'n_positions',
  'max_seq_len',
  'seq_length',
  'n_ctx',
  'context_length',
  'model_max_length',
]

/** Context length of a `config.json`; nothing where it has none. */
export function contextLength(config: Json): number | undefined {
  const thinker = mapAt(config, 'thinker_config')
  const places = [
    config,
    ...['text_config', 'llm_config', 'language_config'].map((key) => mapAt(config, key)),
    thinker && mapAt(thinker, 'text_config'),
  ]
  for (const place of places) {
    const value = place && lengthIn(place)
    if (value !== undefined) return value
  }
  return undefined
}

function lengthIn(config: Json): number | undefined {
  const stated = keys.map((key) => countAt(config, key)).find((value) => value !== undefined)
  return stated === undefined ? undefined : Math.max(stated, scaled(config, stated))
}

function scaled(config: Json, stated: number): number {
  const scaling = mapAt(config, 'rope_scaling') ?? mapAt(config, 'rope_parameters')
  if (!isMap(scaling)) return 0
  const kind = at(scaling, 'rope_type') ?? at(scaling, 'type')
  const factor = at(scaling, 'factor')
  if ((kind !== 'yarn' && kind !== 'linear') || typeof factor !== 'number') return 0
  const length = Math.round(factor * (countAt(scaling, 'original_max_position_embeddings') ?? stated))
  return Number.isSafeInteger(length) ? length : 0
}
