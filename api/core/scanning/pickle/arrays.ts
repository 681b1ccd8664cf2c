import { isGlobal, type Value } from './values.ts'

/** The raw bytes of an array behind a joblib `NumpyArrayWrapper`. */
interface RawArray {
  sizeBytes: number
  /** A byte with the number of filling bytes, and those, come first (joblib ≥ 1.2). */
  isAligned: boolean
}

/** How long the array is that a wrapper's state describes; `objects` for a pickle in its place; nothing where it is unclear. */
export function arrayBytes(state: Value | undefined): RawArray | 'objects' | undefined {
  if (state?.kind !== 'map') return undefined
  const itemBytes = itemSize(state.entries.get('dtype'))
  if (itemBytes === 'objects') return 'objects'
  const shape = state.entries.get('shape')
  if (itemBytes === undefined || shape?.kind !== 'tuple') return undefined
  let count = 1
  for (const dimension of shape.items) {
    // Dimensions of numpy's own integers are calls.
    if (dimension.kind !== 'number') return undefined
    count *= Number(dimension.value)
  }
  const sizeBytes = count * itemBytes
  if (!Number.isSafeInteger(sizeBytes) || sizeBytes < 0) return undefined
  return { sizeBytes, isAligned: state.entries.get('numpy_array_alignment_bytes')?.kind === 'number' }
}

/** Bytes of an item of `numpy.dtype('f8', False, True)`. */
function itemSize(dtype: Value | undefined): number | 'objects' | undefined {
  if (dtype?.kind !== 'call' || !isGlobal(dtype.of, 'numpy', 'dtype')) return undefined
  const [code] = dtype.args
  const found = code?.kind === 'text' ? /^[<>=|]?([A-Za-z])(\d+)$/.exec(code.text ?? '') : null
  if (!found) return undefined
  const size = Number(found[2])
  if (found[1] === 'O') return 'objects'
  // Fields of a structured dtype may hold objects, which a pickle follows for.
  if (found[1] === 'V' && hasObjects(dtype.state)) return 'objects'
  return found[1] === 'U' ? size * 4 : size
}

function hasObjects(value: Value | undefined, depth = 0): boolean {
  if (!value || depth > 8) return value !== undefined
  if (value.kind === 'tuple' || value.kind === 'list')
    return value.items.some((item) => hasObjects(item, depth + 1))
  if (value.kind === 'map') return [...value.entries.values()].some((item) => hasObjects(item, depth + 1))
  return value.kind === 'call' && (itemSize(value) === 'objects' || hasObjects(value.state, depth + 1))
}
