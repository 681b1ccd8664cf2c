import type { Problems } from '../problem.ts'
import { dtypeBits } from './dtypes.ts'

/** Where a tensor lies, and how much it should take. */
interface Span {
  name: string
  begin: number
  end: number
}

const U64 = 1n << 64n

/** The product of dimensions, or nothing where 64 bits do not hold it. */
function elementsOf(shape: readonly bigint[]): bigint | undefined {
  let product = 1n
  for (const dimension of shape) {
    product *= dimension
    if (product >= U64) return undefined
  }
  return product
}

/** What is wrong with the size of one tensor; nothing for an unknown dtype. */
export function sizeFault(dtype: string, shape: readonly bigint[], sizeBytes: number): string | undefined {
  const bits = dtypeBits.get(dtype)
  if (bits === undefined) return undefined
  const elements = elementsOf(shape)
  if (elements === undefined || elements * BigInt(bits) >= U64) return 'has a shape that 64 bits do not hold'
  const needed = elements * BigInt(bits)
  if (needed % 8n !== 0n) return 'ends inside of a byte'
  return needed / 8n === BigInt(sizeBytes) ? undefined : `has ${sizeBytes} bytes and needs ${needed / 8n}`
}

/**
 * Whether tensors follow each other without gap or overlap and fill `dataBytes`, which is what the reference library asks
 * for. Answers whether all is well.
 */
export function checkLayout(spans: Span[], dataBytes: number, problems: Problems): boolean {
  const sorted = [...spans].sort((a, b) => a.begin - b.begin || a.end - b.end)
  let end = 0
  let isFine = true
  for (const span of sorted) {
    if (span.begin < end)
      problems.add('st_overlap', `Tensor ${span.name} begins at ${span.begin}, inside of the one before it.`)
    else if (span.begin > end)
      problems.add('st_hole', `No tensor holds the ${span.begin - end} bytes before ${span.name}.`)
    isFine &&= span.begin === end
    end = Math.max(end, span.end)
  }
  if (end > dataBytes)
    problems.add('st_truncated', `The file ends ${end - dataBytes} bytes before its last tensor does.`)
  if (end < dataBytes) problems.add('st_trailing_bytes', `${dataBytes - end} bytes follow the last tensor.`)
  return isFine && end === dataBytes
}
