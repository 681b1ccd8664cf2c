import type { ByteSource } from '../../../stores/storage/index.ts'

/** Bytes of another length than declared. */
export class WrongSize extends Error {
  constructor(declared: number, came: number) {
    super(`${declared} bytes were declared, ${came} came`)
    this.name = 'WrongSize'
  }
}

/** The same bytes; throws `WrongSize` at the first byte too many or at an early end. */
export async function* exactly(source: ByteSource, sizeBytes: number): ByteSource {
  let length = 0
  for await (const chunk of source) {
    length += chunk.byteLength
    if (length > sizeBytes) throw new WrongSize(sizeBytes, length)
    yield chunk
  }
  if (length !== sizeBytes) throw new WrongSize(sizeBytes, length)
}
