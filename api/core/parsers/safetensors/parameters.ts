import { scaleDtypes } from './dtypes.ts'
import { MlxModules, type MlxPart, type MlxQuantization } from './mlx.ts'

/** A group of compressed-tensors: which modules it packs, and how. */
export interface PackedGroup {
  /** Whole names, patterns after `re:`, or names of classes, which tensors do not tell. */
  targets: string[]
  bits?: number
  format?: string
}

/** What counts of `quantization_config` in a `config.json`, cleaned of what has the wrong type. */
export interface Quantization {
  method: string
  bits?: number
  isLoadIn4Bit?: boolean
  /** Of compressed-tensors. */
  format?: string
  groups?: PackedGroup[]
  /** Of fp8: how routed experts are stored. */
  expertDtype?: string
  /** Parts of names, or globs with `*`. */
  notConverted: string[]
  /** Whole names, or patterns after `re:`. */
  ignored: string[]
  /** Of weights that MLX packed. The other rules do not apply then. */
  mlx?: MlxQuantization
}

const MAX_DIMENSION = 1n << 32n
const bitsOfContainer: Record<string, number> = {
  I8: 8,
  U8: 8,
  I16: 16,
  U16: 16,
  I32: 32,
  U32: 32,
}

const skippedAlways = [
  'weight_scale',
  'weight_scale_inv',
  'weight_scale_2',
  'weight_global_scale',
  'input_scale',
  'input_global_scale',
  'weight_shape',
  'weight_g_idx',
]
const skippedBy: Record<string, RegExp> = {
  gptq: /(^|\.)(qzeros|scales|g_idx)$/,
  awq: /(^|\.)(qzeros|scales|g_idx)$/,
  bitsandbytes: /(^|\.)(absmax|quant_map|nested_[^.]*|bitsandbytes__[^.]*)$/,
}

/** Counts the parameters of tensors as the public hub does, quantised ones by what they stand for (indexing.md §1). */
export class ParameterCount {
  readonly #quantization: Quantization | undefined
  readonly #mlx: MlxModules | undefined
  readonly #byDtype = new Map<string, number>()

  constructor(quantization: Quantization | undefined) {
    this.#quantization = quantization
    this.#mlx = quantization?.mlx && new MlxModules(quantization.mlx)
  }

  add(name: string, dtype: string, shape: readonly bigint[]): void {
    if (shape.length === 0 || shape.some((dimension) => dimension > MAX_DIMENSION)) return
    const factor = this.#factor(name, dtype)
    const elements = Number(shape.reduce((product, dimension) => product * dimension, 1n))
    // Scales of a dtype that never counts still tell that their module is packed.
    if (this.#mlx?.take(name, [dtype, factor === 0 ? 0 : elements]) || factor === 0) return
    this.#addTo(this.#byDtype, dtype, Math.round(elements * factor))
  }

  /** All that was added, and the modules of MLX that another shard may complete. */
  sums(): { total: number; byDtype: Record<string, number>; mlxParts: MlxPart[] } {
    const byDtype = new Map(this.#byDtype)
    const { counts, parts } = this.#mlx?.counts() ?? { counts: [], parts: [] }
    for (const [dtype, count] of counts) this.#addTo(byDtype, dtype, count)
    const total = [...byDtype.values()].reduce((sum, count) => sum + count, 0)
    return { total, byDtype: Object.fromEntries(byDtype), mlxParts: parts }
  }

  #addTo(byDtype: Map<string, number>, dtype: string, count: number): void {
    if (Number.isSafeInteger(count)) byDtype.set(dtype, (byDtype.get(dtype) ?? 0) + count)
  }

  /** How many parameters an element stands for. */
  #factor(name: string, dtype: string): number {
    if (scaleDtypes.has(dtype)) return 0
    const quantization = this.#quantization
    if (!quantization) return 1
    const last = name.slice(name.lastIndexOf('.') + 1)
    if (skippedAlways.includes(last) || last.endsWith('zero_point')) return 0
    if (quantization.mlx) return 1
    const isLeft = isPlain(name, quantization)
    // `scales` of a layer that was left as it was are learned ones.
    if (skippedBy[quantization.method]?.test(name))
      return isLeft && quantization.method !== 'bitsandbytes' ? 1 : 0
    if (isLeft) return 1
    return factorOf(name, last, dtype, quantization)
  }
}

function factorOf(name: string, last: string, dtype: string, quantization: Quantization): number {
  const { method, bits, isLoadIn4Bit } = quantization
  if (method === 'mlx') return 1
  if (method === 'gptq' || method === 'awq') {
    if (last === 'qweight') return Math.max(1, Math.floor(32 / (bits ?? 4)))
    return dtype === 'U8' && (bits === 4 || bits === 2) ? 8 / bits : 1
  }
  if (method === 'mxfp4') {
    if (dtype === 'U8' && last.endsWith('_scales')) return 0
    return dtype === 'U8' && last.endsWith('_blocks') ? 2 : 1
  }
  if (method === 'compressed-tensors') return packedFactor(name, dtype, quantization)
  if (method === 'fp8') {
    const isExpert = name.includes('.experts.') && !name.includes('shared')
    return isExpert ? perContainer(dtype, bitsIn(quantization.expertDtype)) : 1
  }
  if (method === 'bitsandbytes') return dtype === 'U8' && isLoadIn4Bit ? 2 : 1
  return dtype === 'U8' && (bits === 4 || isLoadIn4Bit) ? 2 : 1
}

/** compressed-tensors may pack modules at several widths: the group of a module says its own. */
function packedFactor(name: string, dtype: string, { format, groups = [] }: Quantization): number {
  const module = moduleOf(name)
  const own = groups.find(({ targets }) => targets.some((target) => isTarget(target, module)))
  const stored = (own?.format ?? format)?.toLowerCase()
  if (!stored?.endsWith('pack-quantized')) return 1
  const some = groups.find(({ bits }) => bits !== undefined)
  return perContainer(dtype, own?.bits ?? some?.bits ?? bitsIn(stored) ?? 4)
}

/** Widths that names of formats tell. */
const bitsOfName = /(fp4|int4|nf4)|int2/

function bitsIn(format: string | undefined): number | undefined {
  const found = bitsOfName.exec(format?.toLowerCase() ?? '')
  return found ? (found[1] ? 4 : 2) : undefined
}

/** How many values an integer holds; a ratio, as 3 bits are packed across. */
function perContainer(dtype: string, bits: number | undefined): number {
  const container = bitsOfContainer[dtype]
  return container && bits && bits < container ? container / bits : 1
}

const moduleOf = (name: string): string => name.replace(/\.[^.]*$/, '')

const isTarget = (target: string, module: string): boolean =>
  target.startsWith('re:') ? isSimplePattern(target.slice(3), module) : target === module

/** Whether a tensor was left as it was. No pattern becomes a `RegExp`: a config could make one that never ends. */
function isPlain(name: string, { notConverted, ignored }: Quantization): boolean {
  const module = moduleOf(name)
  return (
    notConverted.some((pattern) =>
      pattern.includes('*') ? isGlob(pattern, name) : name.includes(pattern),
    ) || ignored.some((entry) => entry === name || isTarget(entry, module))
  )
}

/** `*` stands for any characters. */
function isGlob(pattern: string, name: string): boolean {
  const pieces = pattern.split('*')
  const [first = ''] = pieces
  if (!name.startsWith(first)) return false
  let at = first.length
  for (const [i, piece] of pieces.entries()) {
    if (i === 0) continue
    if (i === pieces.length - 1) return name.length - piece.length >= at && name.endsWith(piece)
    const found = name.indexOf(piece, at)
    if (found === -1) return false
    at = found + piece.length
  }
  return name.length === at
}

/** The patterns that configs have: literal text, `\.`, `.*`, `^` and `$`. Any other pattern matches nothing. */
function isSimplePattern(pattern: string, name: string): boolean {
  const body = pattern.replace(/^\^/, '').replace(/\$$/, '')
  const glob = body.replaceAll('\\.', '\0').replaceAll('.*', '*')
  if (/[\\^$.|?+()[\]{}]/.test(glob)) return false
  // Python's `re.match` begins at the start, and may end early.
  return isGlob(`${glob.replaceAll('\0', '.')}${pattern.endsWith('$') ? '' : '*'}`, name)
}
