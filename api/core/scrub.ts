import type { Ctx, Deps } from './ctx.ts'
import type { Tx } from '../stores/db/index.ts'
import type { BlobStore } from '../stores/storage/index.ts'

/** What a scrub reads with: a store that leaves half of the disk to others. */
export type ScrubDeps = Pick<Deps, 'db' | 'log'> & { blobs: Pick<BlobStore, 'read' | 'stat' | 'delete'> }

/** Something that is stored, to be read again. */
export interface StoredBytes {
  /** In whose order a kind is read. */
  id: string
  key: string
  sizeBytes: number
  repoId?: string
  /** Reads every byte from `blobs`; what is wrong, if anything. A store that fails throws: unsure is not damaged. */
  fault(deps: ScrubDeps): Promise<string | undefined>
  /**
   * Has reads answer a problem instead of these bytes from now on. `false` when they have gone or were replaced meanwhile.
   */
  quarantine(tx: Tx, now: Date): Promise<boolean>
}

/** Stores a sound copy of the object that lay under `from`, as `to`. Throws when there is none. */
export type Bring = (from: string, to: string) => Promise<void>

/** One kind of stored bytes for the job `blob.scrub`, which a room offers. */
export interface Scrub {
  kind: string
  /** Bytes that there are. */
  totalBytes(deps: Deps): Promise<number>
  /** Those whose id comes after `id`, in the order of ids; what is in quarantine is left out. */
  after(deps: Deps, id: string): AsyncIterable<StoredBytes>
  /**
   * Puts sound bytes in the place of those in quarantine under this id; `false` when they are not there any more. Absent
   * where only the next upload heals.
   */
  heal?(ctx: Ctx, id: string, bring: Bring): Promise<boolean>
}
