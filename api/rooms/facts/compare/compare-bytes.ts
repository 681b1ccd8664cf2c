import { hashTensors, type Hashing, type SizedTensor } from './hash-tensors.ts'
import type { ComparedSides, TensorPair } from './sides.ts'
import type { TensorSet } from '../header/tensors.ts'

/** Names that a result keeps. */
const MAX_NAMES = 10_000

/** Which tensors of two revisions have different bytes. */
export interface Comparison {
  equal: number
  differentCount: number
  /** The first 10 000, in the order of the new revision. */
  different: string[]
  /** Bytes that were read. */
  readBytes: number
}

/** Bytes that a comparison will read. */
export const bytesToRead = (sides: ComparedSides): number =>
  2 * toRead(sides).reduce((sum, { old }) => sum + old.sizeBytes, 0)

/** Compares the bytes of all tensors of equal dtype and shape. Tensors at one place of one content are not read. */
export async function compareBytes(sides: ComparedSides, how: Hashing): Promise<Comparison> {
  let readBytes = 0
  const counted: Hashing = {
    signal: how.signal,
    onRead: (bytes) => {
      readBytes += bytes
      return how.onRead(bytes)
    },
  }
  const pairs = toRead(sides)
  const before = await hashSide(
    sides.before,
    pairs.map((pair) => pair.old),
    counted,
  )
  const after = await hashSide(
    sides.after,
    pairs.map((pair) => pair.new),
    counted,
  )
  const different = pairs.map((pair) => pair.new.name).filter((name) => before.get(name) !== after.get(name))
  return {
    equal: sides.alike.length - different.length,
    differentCount: different.length,
    different: different.slice(0, MAX_NAMES),
    readBytes,
  }
}

function toRead({ alike, before, after }: ComparedSides): TensorPair[] {
  return alike.filter(
    (pair) =>
      pair.old.offset !== pair.new.offset ||
      before.files[pair.old.file]?.file.etag !== after.files[pair.new.file]?.file.etag,
  )
}

async function hashSide(
  { files }: TensorSet,
  tensors: SizedTensor[],
  how: Hashing,
): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const [place, { file }] of files.entries()) {
    const here = tensors.filter((tensor) => tensor.file === place)
    if (here.length === 0) continue
    for (const [name, hash] of await hashTensors(file, here, how)) found.set(name, hash)
  }
  return found
}
