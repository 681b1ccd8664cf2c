// Other projects that include this file have no other way to these types.
// oxlint-disable-next-line typescript/triple-slash-reference
/// <reference path="./bzip2.d.ts" />
import bitIterator from 'unbzip2-stream/lib/bit_iterator.js'
import bzip2 from 'unbzip2-stream/lib/bzip2.js'

const PART_BYTES = 1024 * 1024
const STEP_BYTES = 100_000
/** A compressed block is never this much longer than its content. */
const SPARE_BYTES = 25_000

/**
 * The content of a bzip2 file, block by block: a hostile block unfolds to 46 MB at most. The stream of the library decodes
 * all blocks of a chunk at once, which has no limit.
 */
export async function* bunzip(input: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const chunks = input[Symbol.asyncIterator]()
  const waiting: Buffer[] = []
  const read = { bytes: 0, isOver: false }
  const more = async () => {
    const { value, done } = await chunks.next()
    if (done) read.isOver = true
    else if (value.length > 0) {
      waiting.push(value)
      read.bytes += value.length
    }
  }
  while (!read.isOver && read.bytes === 0) await more()
  if (read.bytes === 0) return
  const bits = bitIterator(() => {
    const next = waiting.shift()
    if (!next) throw new Error('it ends too early')
    return next
  })
  for (;;) {
    const isLast = await fill(4)
    if (isLast && read.bytes === bits.bytesRead) return
    const size = STEP_BYTES * bzip2.header(bits)
    const buffer = new Int32Array(size)
    for (let crc: number | null = 0; ;) {
      await fill(size + SPARE_BYTES)
      const block = new Block()
      crc = bzip2.decompress(bits, block.take, buffer, size, crc)
      if (crc === null) break
      yield* block.parts()
    }
  }

  async function fill(wanted: number): Promise<boolean> {
    while (!read.isOver && read.bytes - bits.bytesRead < wanted) await more()
    return read.isOver
  }
}

/** Bytes of a block as they come. */
class Block {
  readonly #full: Buffer[] = []
  #part = Buffer.allocUnsafe(PART_BYTES)
  #length = 0

  take = (byte: number): void => {
    if (this.#length === PART_BYTES) {
      this.#full.push(this.#part)
      this.#part = Buffer.allocUnsafe(PART_BYTES)
      this.#length = 0
    }
    this.#part[this.#length++] = byte
  }

  parts(): Buffer[] {
    return [...this.#full, this.#part.subarray(0, this.#length)]
  }
}
