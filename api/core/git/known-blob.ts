import type { Pointer } from '../lfs/pointer.ts'

/** What is known of a blob that is not stored yet. */
export interface KnownBlob {
  /** Of a pointer: the size of its object. */
  sizeBytes: number
  pointer?: Pointer
  /** Kept where other rows and files depend on it: of the root README its start, and of `.gitattributes` files. */
  content?: Buffer
}
