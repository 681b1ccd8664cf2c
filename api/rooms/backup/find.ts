import type { BlobStore } from '../../stores/storage/index.ts'
import { Complete, readDocument, Snapshot } from './documents.ts'
import { layout } from './layout.ts'

/** A backup of a place. One without `complete` was interrupted, one without `snapshot` before it had seen the whole database. */
export interface Found {
  id: string
  snapshot?: Snapshot
  complete?: Complete
}

/** Every backup of a place, oldest first. */
export async function listBackups(place: BlobStore): Promise<Found[]> {
  const keys = new Map<string, Set<string>>()
  for await (const { key } of place.list(layout.backups)) {
    const [, id = '', name = ''] = key.split('/')
    keys.set(id, (keys.get(id) ?? new Set()).add(name))
  }
  const found: Found[] = []
  for (const id of [...keys.keys()].toSorted()) {
    const names = keys.get(id)
    const snapshot = names?.has('snapshot.json')
      ? (await readDocument(place, layout.snapshot(id), Snapshot)).document
      : undefined
    const complete = names?.has('backup.json')
      ? (await readDocument(place, layout.complete(id), Complete)).document
      : undefined
    found.push({ id, ...(snapshot && { snapshot }), ...(complete && { complete }) })
  }
  return found
}

/** A complete one, by its id or the newest. `undefined` where there is none. */
export async function findBackup(
  place: BlobStore,
  id: string | undefined,
): Promise<Required<Found> | undefined> {
  for (const { id: each, snapshot, complete } of (await listBackups(place)).toReversed())
    if (snapshot && complete && (id === undefined || each === id)) return { id: each, snapshot, complete }
  return undefined
}

/** Deletes what an interrupted backup wrote about itself; the bytes that it copied stay for the next. */
export async function dropBackup(place: BlobStore, id: string): Promise<void> {
  const keys: string[] = []
  for await (const { key } of place.list(layout.backup(id))) keys.push(key)
  for (const key of keys) await place.delete(key)
}
