import type { MlxPacking, MlxQuantization } from '../safetensors/mlx.ts'
import { at, isMap, mapAt, type Json } from './values.ts'

/** Widths and sizes of groups by mode, the usual ones first. */
const modes = new Map([
  ['affine', { bits: [4, 2, 3, 5, 6, 8], groups: [64, 32, 128] }],
  ['mxfp4', { bits: [4], groups: [32] }],
  ['nvfp4', { bits: [4], groups: [16] }],
  ['mxfp8', { bits: [8], groups: [32] }],
])
/** The largest models have some ten thousand modules. */
const MAX_MODULES = 50_000

/**
 * How MLX packed the weights of a model: `quantization` of its `config.json`, in older ones `quantization_config`.
 * MLX names no method; a known mode, width and size of groups tell it, for the model or for one module.
 */
export function mlxOf(config: Json): MlxQuantization | undefined {
  for (const key of ['quantization', 'quantization_config']) {
    const found = mapAt(config, key)
    if (found && isOfMlx(found)) return readMlx(found)
  }
  return undefined
}

function isOfMlx(found: Json): boolean {
  const method = at(found, 'quant_method')
  if (method !== undefined && !(typeof method === 'string' && method.toLowerCase() === 'mlx')) return false
  return [found, ...Object.values(found).filter(isMap)].some((each) => saysPacking(each) && packingOf(each))
}

const saysPacking = (each: Json) => ['bits', 'group_size', 'mode'].some((key) => Object.hasOwn(each, key))

function readMlx(found: Json): MlxQuantization {
  const packing = packingOf(found)
  const modules = Object.entries(found).flatMap(([module, own]): MlxQuantization['modules'] => {
    if (own === false) return [[module, null]]
    return isMap(own) ? [[module, packingOf(own) ?? null]] : []
  })
  return { ...(packing ? { packing } : {}), modules: modules.slice(0, MAX_MODULES) }
}

function packingOf(found: Json): MlxPacking | undefined {
  const mode = at(found, 'mode') ?? 'affine'
  const known = typeof mode === 'string' ? modes.get(mode.toLowerCase()) : undefined
  if (!known) return undefined
  const bits = at(found, 'bits') ?? known.bits[0]
  const group = at(found, 'group_size') ?? known.groups[0]
  if (typeof bits !== 'number' || !known.bits.includes(bits)) return undefined
  if (typeof group !== 'number' || !known.groups.includes(group)) return undefined
  return { bits, isAffine: known === modes.get('affine') }
}
