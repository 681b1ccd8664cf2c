import type { Problems } from '../problem.ts'
import { tensorTypes } from './types.ts'

interface TensorInfo {
  name: string
  shape: bigint[]
  type: number
  offset: bigint
}

interface Placed {
  name: string
  offset: bigint
  /** Nothing where the type is unknown. */
  bytes: bigint | undefined
}

/** Adds up the tensors of a file, and checks that they lie as ggml lays them: one behind the other, padded. */
export class Layout {
  readonly #problems: Problems
  readonly #placed: Placed[] = []
  readonly #names = new Set<string>()
  readonly parametersByType = new Map<string, number>()
  readonly bytesByType = new Map<string, number>()

  constructor(problems: Problems) {
    this.#problems = problems
  }

  /** Answers the name of the tensor's type. */
  add({ name, shape, type, offset }: TensorInfo): string {
    if (this.#names.has(name)) this.#problems.add('gguf_duplicate_tensor', `Tensor ${name} is there twice.`)
    this.#names.add(name)
    const known = tensorTypes.get(type)
    const elements = shape.reduce((product, dimension) => product * dimension, 1n)
    const typeName = known?.name ?? `TYPE_${type}`
    if (!known)
      this.#problems.add('gguf_unknown_type', `Tensor ${name} has the unknown type ${type}.`, 'warning')
    if (elements >= 1n << 63n) {
      this.#problems.add('gguf_shape_overflow', `Tensor ${name} has a shape that 64 bits do not hold.`)
      this.#placed.push({ name, offset, bytes: undefined })
      return typeName
    }
    const bytes = known ? (elements / BigInt(known.block)) * BigInt(known.bytes) : undefined
    if (known && (shape[0] ?? 1n) % BigInt(known.block) !== 0n)
      this.#problems.add(
        'gguf_row_not_block_multiple',
        `Rows of tensor ${name} are no multiple of ${known.block}.`,
      )
    add(this.parametersByType, typeName, Number(elements))
    if (bytes !== undefined) add(this.bytesByType, typeName, Number(bytes))
    this.#placed.push({ name, offset, bytes })
    return typeName
  }

  parameters(): number {
    return [...this.parametersByType.values()].reduce((sum, count) => sum + count, 0)
  }

  check(sizeBytes: number, dataOffset: number, alignment: number): void {
    const step = BigInt(alignment)
    const dataBytes = BigInt(Math.max(0, sizeBytes - dataOffset))
    let expected: bigint | undefined = 0n
    let end = 0n
    for (const { name, offset, bytes } of this.#placed) {
      if (offset % step !== 0n)
        this.#problems.add(
          'gguf_offset_misaligned',
          `Tensor ${name} begins at ${offset}, no multiple of ${alignment}.`,
        )
      if (expected !== undefined && offset !== expected)
        this.#problems.add(
          'gguf_offset_gap',
          `Tensor ${name} begins at ${offset} and should begin at ${expected}.`,
        )
      const last = offset + (bytes ?? 0n)
      if (last > dataBytes)
        this.#problems.add(
          'gguf_out_of_bounds',
          `Tensor ${name} ends at ${last}; the file has ${dataBytes} bytes of data.`,
        )
      if (last > end) end = last
      // After a tensor of unknown size there is nothing to compare with.
      expected = bytes === undefined ? undefined : offset + ((bytes + step - 1n) / step) * step
    }
    if (this.parameters() > 8 * sizeBytes)
      this.#problems.add(
        'gguf_params_impossible',
        `${this.parameters()} parameters do not fit in ${sizeBytes} bytes.`,
      )
    const padded = ((end + step - 1n) / step) * step
    if (this.#placed.every(({ bytes }) => bytes !== undefined) && dataBytes > padded)
      this.#problems.add('gguf_trailing_bytes', `${dataBytes - padded} bytes follow the last tensor.`)
  }
}

function add(sums: Map<string, number>, name: string, count: number): void {
  sums.set(name, (sums.get(name) ?? 0) + count)
}
