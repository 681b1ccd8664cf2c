/** How MLX packs one module. */
export interface MlxPacking {
  bits: number
  /** Modes other than `affine` have no zero points, so their `biases` are learned. */
  isAffine: boolean
}

/** What a `config.json` says of weights that MLX packed. */
export interface MlxQuantization {
  /** Of modules that `modules` does not name; absent where these are left as they were. */
  packing?: MlxPacking
  /** Modules of their own packing, `null` for one that is left as it was. */
  modules: [module: string, packing: MlxPacking | null][]
}

/** How many values a tensor stores, and as what. */
type Stored = [dtype: string, elements: number]

/**
 * A module of which one file holds some tensors: MLX stores a packed weight as U32 beside its `scales`, and `biases`
 * where it is affine. Shards may part them.
 */
export interface MlxPart {
  module: string
  packing: MlxPacking
  weight?: number
  scales?: Stored
  biases?: Stored
}

const container = 'U32'
const containerBits = 32
/** Shards part a few modules at their borders; more parts than this would only fill memory. */
const MAX_PARTS = 10_000

/** Finds the modules that MLX packed, by the tensors that lie beside each other. */
export class MlxModules {
  readonly #packing: MlxPacking | undefined
  readonly #own: ReadonlyMap<string, MlxPacking | null>
  readonly #parts = new Map<string, MlxPart>()

  constructor({ packing, modules }: MlxQuantization) {
    this.#packing = packing
    this.#own = new Map(modules)
  }

  /** Whether the tensor may be a part of a packed module; `counts` has it then. */
  take(name: string, [dtype, elements]: Stored): boolean {
    const dot = name.lastIndexOf('.')
    const [module, last] = [name.slice(0, Math.max(dot, 0)), name.slice(dot + 1)]
    const isWeight = last === 'weight' && dtype === container
    if (dot === -1 || (!isWeight && last !== 'scales' && last !== 'biases')) return false
    const own = this.#own.get(module)
    const packing = own === undefined ? this.#packing : own
    if (!packing) return false
    const part = this.#parts.get(module) ?? { module, packing }
    this.#parts.set(module, part)
    if (last === 'scales') part.scales = [dtype, elements]
    else if (last === 'biases') part.biases = [dtype, elements]
    else part.weight = elements
    return true
  }

  /** What the taken tensors count, and the modules that another file may complete. */
  counts(): { counts: Stored[]; parts: MlxPart[] } {
    const parts = [...this.#parts.values()]
    return {
      counts: parts.flatMap((part) => (isPacked(part) ? packedCounts(part) : plainCounts(part))),
      parts: parts.filter((part) => !isPacked(part)).slice(0, MAX_PARTS),
    }
  }
}

/** What the count of all shards differs from the sum of their own counts by, since they part some modules. */
export function partedModules(parts: Iterable<MlxPart>): Stored[] {
  const modules = new Map<string, MlxPart>()
  for (const part of parts) modules.set(part.module, { ...modules.get(part.module), ...part })
  return [...modules.values()]
    .filter(isPacked)
    .flatMap((part) => [
      ...packedCounts(part),
      ...plainCounts(part).map(([dtype, elements]): Stored => [dtype, -elements]),
    ])
}

function isPacked({ packing, weight, scales, biases }: MlxPart): boolean {
  return weight !== undefined && scales !== undefined && (!packing.isAffine || biases !== undefined)
}

/** Scales and zero points tell how values are packed; they are no parameters. */
function packedCounts({ packing, weight = 0, biases }: MlxPart): Stored[] {
  const values = Math.round((weight * containerBits) / packing.bits)
  return counted([container, values], packing.isAffine ? undefined : biases)
}

function plainCounts({ weight = 0, scales, biases }: MlxPart): Stored[] {
  return counted([container, weight], scales, biases)
}

const counted = (...stored: (Stored | undefined)[]): Stored[] =>
  stored.filter((each) => each !== undefined && each[1] > 0) as Stored[]
