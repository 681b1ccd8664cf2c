import { z } from 'zod'
import { collect, fromChunks, type BlobStore } from '../../stores/storage/index.ts'
import { FORMAT } from './layout.ts'

const count = z.int().min(0)
const file = z.object({ sha256: z.string(), size: count })

/** `snapshot.json`: what was seen, and when. */
export const Snapshot = z.object({
  format: z.literal(FORMAT),
  id: z.string(),
  /** Release that made it. */
  version: z.string(),
  /** Everything acknowledged before this is in it. */
  taken_at: z.iso.datetime(),
  engine: z.enum(['sqlite', 'postgres']),
  migration: z.string(),
  /** Stands for the instance key, which is not part of a backup. */
  key_tag: z.string(),
  tables: z.array(
    z.object({
      name: z.string(),
      columns: z.array(
        z.object({ name: z.string(), kind: z.enum(['text', 'number', 'bool', 'time', 'json', 'bytes']) }),
      ),
      rows: count,
      file,
    }),
  ),
  /** Of the lists of wanted keys, by share. */
  wanted: z.record(z.string(), file),
  blobs: count,
})
export type Snapshot = z.output<typeof Snapshot>

/** `backup.json`: what a whole backup holds. */
export const Complete = z.object({
  format: z.literal(FORMAT),
  id: z.string(),
  finished_at: z.iso.datetime(),
  /** Of `snapshot.json`. */
  snapshot: file,
  /** Of the lists of copied keys, by share. */
  copied: z.record(z.string(), file),
  blobs: count,
  bytes: count,
  /** Copied by this backup; the others were in the place before. */
  new_blobs: count,
  new_bytes: count,
  /** Bytes that the server's store lacks or that are damaged there, so that they could not be copied. */
  damaged: z.array(z.object({ key: z.string(), message: z.string() })),
})
export type Complete = z.output<typeof Complete>

/** One line of a list: the key, its size and SHA-256 as far as they are known. */
export const Line = z.object({
  key: z.string(),
  size: count.optional(),
  sha256: z.string().optional(),
  optional: z.literal(true).optional(),
})
export type Line = z.output<typeof Line>

const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024

/** A JSON document of a place and its bytes. */
export async function readDocument<S extends z.ZodType>(
  place: BlobStore,
  key: string,
  schema: S,
): Promise<{ document: z.output<S>; bytes: Buffer }> {
  const bytes = await collect(await place.read(key), MAX_DOCUMENT_BYTES)
  return { document: schema.parse(JSON.parse(bytes.toString())), bytes }
}

/** Writes one; answers its bytes. */
export async function writeDocument(place: BlobStore, key: string, document: object): Promise<Buffer> {
  const bytes = Buffer.from(`${JSON.stringify(document, null, 1)}\n`)
  await place.put(key, fromChunks(bytes), { sizeBytes: bytes.length })
  return bytes
}
