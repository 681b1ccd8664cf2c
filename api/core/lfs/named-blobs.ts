import { blobKeys } from '../../stores/storage/index.ts'

/** Bytes that a row names. */
export interface NamedBlob {
  key: string
  sizeBytes?: number
  sha256?: string
  /** It may be absent without harm. */
  isOptional?: true
}

type Row = Record<string, unknown>

const text = (row: Row, column: string) => String(row[column])
const sized = (row: Row, column: string) => ({ sizeBytes: Number(row[column]) })

function imageBlobs(row: Row, keyOf: (id: string) => string): NamedBlob[] {
  if (row['corrupt_at'] !== null) return []
  const { sha256 } = row
  const known = typeof sha256 === 'string' ? { sha256 } : {}
  return [{ key: keyOf(text(row, 'id')), ...sized(row, 'size'), ...known }]
}

/** What a row of each table names: the keys of `namedKeys` whose bytes are proven, seen from the other side. */
const namers: Record<string, (row: Row) => NamedBlob[]> = {
  git_packs(row) {
    if (row['state'] !== 'live' || row['corrupt_at'] !== null) return []
    const [repoId, id] = [text(row, 'repo_id'), text(row, 'id')]
    const mayHaveBitmap = row['source'] === 'compact' || row['source'] === 'gc'
    return [
      { key: blobKeys.pack(repoId, id), ...sized(row, 'pack_bytes') },
      { key: blobKeys.packIndex(repoId, id), ...sized(row, 'idx_bytes') },
      ...(mayHaveBitmap ? [{ key: blobKeys.packBitmap(repoId, id), isOptional: true as const }] : []),
    ]
  },
  lfs_objects: (row) =>
    row['corrupt_at'] === null
      ? [{ key: text(row, 'key'), ...sized(row, 'size'), sha256: text(row, 'sha256') }]
      : [],
  upload_parts: (row) => [{ key: text(row, 'key'), ...sized(row, 'size') }],
  transfer_parts: (row) => [{ key: text(row, 'key'), ...sized(row, 'size') }],
  chunk_xorbs: (row) => [
    { key: text(row, 'key'), ...sized(row, 'body_size') },
    { key: blobKeys.xorbIndex(text(row, 'key')) },
  ],
  chunk_rebuilds: (row) => (row['active_key'] === null ? [] : [{ key: text(row, 'shard_key') }]),
  attachments: (row) => imageBlobs(row, blobKeys.attachment),
  instance_logos: (row) => imageBlobs(row, blobKeys.avatar),
  avatars: (row) => imageBlobs(row, blobKeys.avatar),
}

/**
 * The proven bytes that a row of any table names, by the names of its columns. Bytes known to be damaged, packs that are
 * not live and what clients still send to a bucket are left out.
 */
export const namedBlobs = (table: string, row: Row): NamedBlob[] => namers[table]?.(row) ?? []
