import type { Reads, Tables, Tx } from '../../stores/db/index.ts'

/** What scrub and fsck need to know of an image. */
export interface ImageRow {
  id: string
  size: number
  /** Null for one stored before it was noted. */
  sha256: string | null
  /** Since when its bytes are known to be damaged. */
  corrupt_at: Date | null
}

interface Reader {
  q: Reads
  t: Tables
}

/** A table of images, whose room alone writes it. */
export interface ImageRows {
  /** The name of the scrub and of the check. */
  kind: string
  /** Where the bytes of an image lie. */
  keyOf: (id: string) => string
  /** The first rows after `id`, in the order of ids. */
  after: (db: Reader, id: string, limit: number) => Promise<ImageRow[]>
  find: (db: Reader, id: string) => Promise<ImageRow | undefined>
  totalBytes: (db: Reader) => Promise<number>
  noteSha256: (tx: Tx, id: string, sha256: string) => Promise<void>
  /** Notes since when the bytes are damaged, or that they are sound again; `false` when that was noted before or the row is gone. */
  setCorrupt: (tx: Tx, id: string, at: Date | null) => Promise<boolean>
}
