import type { Quantization } from '../safetensors/parameters.ts'
import { at, countAt, isMap, mapAt, textAt, textsAt, type Json } from './values.ts'

/** `quantization_config` of a `config.json`, at its root or in `text_config`; nothing where there is none. */
export function quantizationOf(config: Json): Quantization | undefined {
  const text = mapAt(config, 'text_config')
  const found = mapAt(config, 'quantization_config') ?? (text && mapAt(text, 'quantization_config'))
  if (!found) return undefined
  const stated = {
    bits: countAt(found, 'bits') ?? countAt(found, 'w_bit'),
    format: textAt(found, 'format'),
    packedBits: packedBits(found),
    expertDtype: textAt(found, 'expert_dtype') ?? textAt(config, 'expert_dtype'),
  }
  const known = Object.fromEntries(Object.entries(stated).filter(([, value]) => value !== undefined))
  return {
    method: (textAt(found, 'quant_method') ?? '').toLowerCase(),
    ...(known as { [K in keyof typeof stated]?: NonNullable<(typeof stated)[K]> }),
    isLoadIn4Bit: at(found, 'load_in_4bit') === true || at(found, '_load_in_4bit') === true,
    notConverted: textsAt(found, 'modules_to_not_convert'),
    ignored: textsAt(found, 'ignore'),
  }
}

/** compressed-tensors has groups, each with its bits; one repo has one width in practice. */
function packedBits(found: Json): number | undefined {
  const groups = mapAt(found, 'config_groups') ?? {}
  for (const group of Object.values(groups).slice(0, 100)) {
    const weights = isMap(group) ? mapAt(group, 'weights') : undefined
    const bits = weights && countAt(weights, 'num_bits')
    if (bits !== undefined) return bits
  }
  return undefined
}
