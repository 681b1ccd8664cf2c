import type { AttachmentType } from '../../../shared/vocabulary.ts'
import { Problem } from '../../platform/problems/index.ts'
import { newId, type Tx } from '../../stores/db/index.ts'
import {
  derived,
  drain,
  hashing,
  limited,
  TooManyBytes,
  type ByteSource,
} from '../../stores/storage/index.ts'
import type { Ctx } from '../ctx.ts'
import { deleteReserved, keepKeys, reserveKeys } from '../lfs/index.ts'
import { SNIFF_BYTES, typeOf } from './kinds.ts'

/** An image whose bytes are stored. */
export interface StoredImage<T extends AttachmentType = AttachmentType> {
  id: string
  type: T
  sizeBytes: number
  sha256: string
}

/** What a room takes, and how it keeps it. */
export interface ImageKeeping<T extends AttachmentType> {
  keyOf: (id: string) => string
  types: readonly T[]
  /** The types in words, for the refusal: `PNG or JPEG`. */
  named: string
  maxBytes: number
  /** What to do about one that is larger. */
  tooLarge: string
  /** Refuses before any byte is stored. */
  admit?: (tx: Tx) => Promise<void>
  /** Writes the row that names the bytes. */
  record: (tx: Tx, image: StoredImage<T>) => Promise<void>
}

const HEARD_OUT_BYTES = 64 * 1024 * 1024

/**
 * Stores an image and has its row written. Nothing stays when that fails. Problems: `unsupported-media-type` for bytes that
 * are no such image, `body-too-large`, and those of `admit` and `record`.
 */
export async function storeImage<T extends AttachmentType>(
  ctx: Ctx,
  source: ByteSource,
  declaredBytes: number | undefined,
  keeping: ImageKeeping<T>,
): Promise<StoredImage<T>> {
  const { maxBytes } = keeping
  const tooLarge = () =>
    new Problem('body-too-large', {
      detail: `An image may have at most ${maxBytes} bytes. ${keeping.tooLarge}`,
    })
  if ((declaredBytes ?? 0) > maxBytes) {
    // Clients that are still sending when they are refused see a broken pipe and no answer: what is not endless is heard out.
    if ((declaredBytes ?? 0) <= HEARD_OUT_BYTES) await drain(source)
    throw tooLarge()
  }
  const id = newId()
  const key = keeping.keyOf(id)
  await ctx.db.write(async (tx) => {
    await keeping.admit?.(tx)
    await reserveKeys(tx, ctx, [key])
  })
  try {
    const sniffed = sniffing(limited(source, maxBytes), keeping)
    const hashed = hashing(sniffed.source, 'sha256')
    const { sizeBytes } = await ctx.blobs.put(key, hashed.source)
    const { hex: sha256 } = await hashed.digest()
    const image = { id, type: sniffed.type(), sizeBytes, sha256 }
    await ctx.db.write(async (tx) => {
      await keepKeys(tx, ctx, [key])
      await keeping.record(tx, image)
    })
    return image
  } catch (error) {
    await deleteReserved(ctx, key)
    throw error instanceof TooManyBytes ? tooLarge() : error
  }
}

/** The same bytes, once they are known to be those of an image of these types. */
function sniffing<T extends AttachmentType>(
  source: ByteSource,
  { types, named }: Pick<ImageKeeping<T>, 'types' | 'named'>,
): { source: ByteSource; type: () => T } {
  let type: T | undefined
  const known = () => {
    if (type) return type
    throw new Problem('unsupported-media-type', { detail: `Send a ${named} image.` })
  }
  const checked = derived([source], async function* () {
    let start = Buffer.alloc(0)
    for await (const chunk of source) {
      if (type) {
        yield chunk
        continue
      }
      start = Buffer.concat([start, chunk])
      if (start.length < SNIFF_BYTES) continue
      const found = typeOf(start)
      type = types.find((each) => each === found)
      known()
      yield start
    }
    known()
  })
  return { source: checked, type: known }
}
