import { copyBytes, returnSlab, type Slab, takeSlab } from '../../platform/direct-io/index.ts'
import type { ByteSource } from './blob-store.ts'

/**
 * The bytes of a source in slabs, full but for the last, and for the first of a source that begins within a block. The
 * reader gives each back by `returnSlab`. Sources that fill slabs by themselves do, large ones where asked; the chunks of
 * others are copied.
 */
export async function* inSlabs(source: ByteSource, areLarge = false): AsyncGenerator<Slab> {
  yield* source.inSlabs?.(areLarge) ?? copied(source)
}

async function* copied(source: ByteSource): AsyncGenerator<Slab> {
  let slab = takeSlab()
  let filled = 0
  for await (const chunk of source) {
    for (let at = 0; at < chunk.length;) {
      const taken = Math.min(slab.length - filled, chunk.length - at)
      copyBytes(slab, filled, chunk.subarray(at, at + taken))
      filled += taken
      at += taken
      if (filled < slab.length) continue
      yield slab
      slab = takeSlab()
      filled = 0
    }
    source.giveBack?.(chunk)
  }
  if (filled > 0) yield slab.subarray(0, filled)
  else returnSlab(slab)
}
