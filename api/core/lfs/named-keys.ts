import { statesUnderWay } from './upload-states.ts'
import { and, inArray, isNotNull, ne } from 'drizzle-orm'
import { blobKeys } from '../../stores/storage/index.ts'
import type { Reading } from './queries.ts'
import { inBatches } from '../../stores/db/index.ts'

/** Below these prefixes every object has a row that names it. */
export const ownedPrefixes = [
  'git/',
  'lfs/',
  'uploads/',
  'transfers/',
  'xorbs/',
  'shards/',
  'attachments/',
  'avatars/',
] as const

type Prefix = (typeof ownedPrefixes)[number]

/** Keys that rows name, by prefix: at least those among the given ones. */
const readers: Record<Prefix, (tx: Reading, keys: string[]) => Promise<string[]>> = {
  async 'git/'({ q, t: { git_packs: p } }, keys) {
    const rows = await inBatches(keys.map(nameOf), (some) =>
      q.select({ id: p.id, repoId: p.repo_id }).from(p).where(inArray(p.id, some)),
    )
    const { pack, packIndex, packBitmap } = blobKeys
    return rows.flatMap(({ id, repoId }) => [pack, packIndex, packBitmap].map((key) => key(repoId, id)))
  },
  async 'lfs/'(tx, keys) {
    const { lfs_objects: o } = tx.t
    const rows = await inBatches(keys.map(nameOf), (some) =>
      tx.q.select({ key: o.key }).from(o).where(inArray(o.sha256, some)),
    )
    const awaited = await awaitedUploads(
      tx,
      keys.map((key) => key.slice(key.lastIndexOf('.') + 1)),
    )
    return [...rows.map((row) => row.key), ...awaited.map((row) => blobKeys.lfsObject(row.sha256, row.id))]
  },
  async 'uploads/'(tx, keys) {
    const { upload_parts: p } = tx.t
    const ids = keys.map((key) => key.split('/')[1] ?? '')
    const parts = await inBatches(ids, (some) =>
      tx.q.select({ key: p.key }).from(p).where(inArray(p.upload_id, some)),
    )
    const awaited = await awaitedUploads(tx, ids)
    return [...parts.map((row) => row.key), ...awaited.map((row) => blobKeys.uploadWhole(row.id))]
  },
  async 'transfers/'({ q, t: { transfer_parts: p } }, keys) {
    const rows = await inBatches(keys, (some) => q.select({ key: p.key }).from(p).where(inArray(p.key, some)))
    return rows.map((row) => row.key)
  },
  async 'xorbs/'({ q, t: { chunk_xorbs: x } }, keys) {
    const rows = await inBatches(keys.map(nameOf), (some) =>
      q.select({ key: x.key }).from(x).where(inArray(x.xorb_hash, some)),
    )
    return rows.flatMap((row) => [row.key, blobKeys.xorbIndex(row.key)])
  },
  async 'shards/'({ q, t: { chunk_rebuilds: r } }, keys) {
    const rows = await inBatches(keys, (some) =>
      q
        .selectDistinct({ key: r.shard_key })
        .from(r)
        .where(and(inArray(r.shard_key, some), isNotNull(r.active_key))),
    )
    return rows.map((row) => row.key)
  },
  async 'attachments/'({ q, t: { attachments: a } }, keys) {
    const rows = await inBatches(keys.map(nameOf), (some) =>
      q.select({ id: a.id }).from(a).where(inArray(a.id, some)),
    )
    return rows.map(({ id }) => blobKeys.attachment(id))
  },
  async 'avatars/'({ q, t: { avatars: a } }, keys) {
    const rows = await inBatches(keys.map(nameOf), (some) =>
      q.select({ id: a.id }).from(a).where(inArray(a.id, some)),
    )
    return rows.map(({ id }) => blobKeys.avatar(id))
  },
}

/** Those of the uploads whose sender puts the bytes into the bucket and that have not ended. */
function awaitedUploads({ q, t: { uploads: u } }: Reading, ids: string[]) {
  const isAwaited = and(ne(u.via, 'server'), inArray(u.status, statesUnderWay))
  return inBatches(ids, (some) =>
    q
      .select({ id: u.id, sha256: u.sha256 })
      .from(u)
      .where(and(inArray(u.id, some), isAwaited)),
  )
}

/** The hash or id that the last part of a key begins with. */
const nameOf = (key: string) => key.split('/').at(-1)?.split('.')[0] ?? ''

/** The keys among these whose bytes a row names, so that they must stay. */
export async function namedKeys(tx: Reading, keys: string[]): Promise<Set<string>> {
  const named = new Set<string>()
  for (const prefix of ownedPrefixes) {
    const some = keys.filter((key) => key.startsWith(prefix))
    if (some.length > 0) for (const key of await readers[prefix](tx, some)) named.add(key)
  }
  return named
}

/** As `namedKeys`, with those that a row lists for deletion. */
export async function accountedKeys(tx: Reading, keys: string[]): Promise<Set<string>> {
  const { blob_deletions: d } = tx.t
  const listed = await inBatches(keys, (some) =>
    tx.q.select({ key: d.key }).from(d).where(inArray(d.key, some)),
  )
  return new Set([...(await namedKeys(tx, keys)), ...listed.map((row) => row.key)])
}
