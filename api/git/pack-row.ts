import { blobKeys } from '../storage/index.ts'

/** A pack as the catalogue knows it. */
export interface PackRow {
  id: string
  repoId: string
  /** Trailer, 40-hex. */
  sha1: string
  objects: number
  packBytes: number
  idxBytes: number
}

/** The two files of a pack. */
export type PackFile = 'pack' | 'idx'

/** Blob store key of a pack's file. */
export function keyOf({ repoId, id }: Pick<PackRow, 'id' | 'repoId'>, kind: PackFile): string {
  return kind === 'pack' ? blobKeys.pack(repoId, id) : blobKeys.packIndex(repoId, id)
}

export function sizeOf(row: PackRow, kind: PackFile): number {
  return kind === 'pack' ? row.packBytes : row.idxBytes
}
