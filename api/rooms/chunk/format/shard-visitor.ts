/** A run of chunks of one xorb that a file is made of. */
export interface ShardTerm {
  /** Raw hash of the xorb. */
  xorb: Buffer
  /** Plain bytes of the run, as the sender claims. */
  unpacked: number
  /** First chunk and the one after the last: `start < end`, at most the chunks that any xorb may have. */
  start: number
  end: number
}

/**
 * Hears of each record of a shard in its order; leave out what is of no interest. Buffers are views of the piece that was
 * pushed, to be copied by a visitor that keeps them. What a method throws ends the reading.
 */
export interface ShardVisitor {
  /**
   * A file begins: its raw hash, how many terms follow, where in the shard the first of them lies (bytes), and whether the
   * SHA-256 of its bytes follows.
   */
  file?(file: { hash: Buffer; terms: number; termsOffset: number; hasSha256: boolean }): void
  /** Its terms in order, from 0; all come before the first range hash. */
  term?(term: ShardTerm, position: number): void
  /** The raw range hash of the term at this position; each term has one. */
  rangeHash?(hash: Buffer, position: number): void
  /** The SHA-256 its sender claims, as digest bytes (no longer swapped). */
  sha256?(digest: Buffer): void
  fileEnd?(): void
  /** A xorb begins: its raw hash, how many chunks follow, and the sum of their plain lengths. */
  xorb?(xorb: { hash: Buffer; n: number; unpacked: number }): void
  /** Its chunks in order, from 0; each starts where the one before ended. */
  chunk?(chunk: { hash: Buffer; start: number; length: number }, position: number): void
}
