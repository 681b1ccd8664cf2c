import { blobKeys } from '../../../stores/storage/index.ts'

/** A pack as the catalogue knows it. */
export interface PackRow {
  id: string
  repoId: string
  /** Trailer, 40-hex. */
  sha1: string
  objects: number
  packBytes: number
  idxBytes: number
  /** Since when its bytes are known to be damaged. */
  corruptAt?: Date | null
}

/** The files of a pack; only some have a bitmap. */
export type PackFile = 'pack' | 'idx' | 'bitmap'

/** Blob store key of a pack's file. */
export function keyOf({ repoId, id }: Pick<PackRow, 'id' | 'repoId'>, kind: PackFile): string {
  if (kind === 'bitmap') return blobKeys.packBitmap(repoId, id)
  return kind === 'pack' ? blobKeys.pack(repoId, id) : blobKeys.packIndex(repoId, id)
}

/** As the catalogue says; it knows nothing of bitmaps. */
export function sizeOf(row: PackRow, kind: PackFile): number | undefined {
  if (kind === 'bitmap') return undefined
  return kind === 'pack' ? row.packBytes : row.idxBytes
}
