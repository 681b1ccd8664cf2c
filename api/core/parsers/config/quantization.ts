import type { PackedGroup, Quantization } from '../safetensors/parameters.ts'
import { mlxOf } from './mlx.ts'
import { at, countAt, isMap, mapAt, textAt, textsAt, type Json } from './values.ts'

/** `quantization_config` of a `config.json`, at its root or in `text_config`; nothing where there is none. */
export function quantizationOf(config: Json): Quantization | undefined {
  const text = mapAt(config, 'text_config')
  const found = mapAt(config, 'quantization_config') ?? (text && mapAt(text, 'quantization_config'))
  // The root says it for all parts.
  const mlx = mlxOf(config) ?? (mapAt(config, 'quantization_config') || !text ? undefined : mlxOf(text))
  if (!found) return mlx && { method: '', notConverted: [], ignored: [], mlx }
  const stated = {
    bits: countAt(found, 'bits') ?? countAt(found, 'w_bit'),
    format: textAt(found, 'format'),
    groups: groupsOf(found),
    // Some models say it beside the quantisation, and some by the name of what is stored.
    expertDtype:
      textAt(found, 'expert_dtype') ??
      textAt(config, 'expert_dtype') ??
      (text && textAt(text, 'expert_dtype')) ??
      textAt(found, 'store_dtype'),
  }
  const known = Object.fromEntries(Object.entries(stated).filter(([, value]) => value !== undefined))
  return {
    method: (textAt(found, 'quant_method') ?? '').toLowerCase(),
    ...(known as { [K in keyof typeof stated]?: NonNullable<(typeof stated)[K]> }),
    isLoadIn4Bit: at(found, 'load_in_4bit') === true || at(found, '_load_in_4bit') === true,
    notConverted: textsAt(found, 'modules_to_not_convert'),
    ignored: textsAt(found, 'ignore'),
    ...(mlx ? { mlx } : {}),
  }
}

/** The groups of compressed-tensors, each of its own width. */
function groupsOf(found: Json): PackedGroup[] | undefined {
  const groups = Object.values(mapAt(found, 'config_groups') ?? {})
    .slice(0, 100)
    .filter(isMap)
  if (groups.length === 0) return undefined
  return groups.map((group) => {
    const weights = mapAt(group, 'weights')
    const bits = weights && countAt(weights, 'num_bits')
    const format = textAt(group, 'format')
    return {
      targets: textsAt(group, 'targets', 100),
      ...(bits === undefined ? {} : { bits }),
      ...(format === undefined ? {} : { format }),
    }
  })
}
