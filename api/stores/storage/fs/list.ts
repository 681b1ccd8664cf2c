import { lstat, opendir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { BlobStat } from '../blob-store.ts'
import type { Disk } from './disk.ts'
import { onDisk } from './errors.ts'
import { isSegment } from '../guards.ts'
import { StoreError } from '../store-error.ts'

/** Every object below `prefix`. What comes or goes meanwhile may be listed or not; any other trouble fails the list. */
export async function* listObjects(disk: Disk, prefix: string): AsyncGenerator<BlobStat> {
  const deepest = prefix.includes('/') ? dirname(`${prefix}x`) : ''
  yield* walk(disk, deepest, prefix)
  // A disk that went away in between has cut the walk short without a word.
  await disk.requireRoot(prefix)
}

async function* walk(disk: Disk, folder: string, prefix: string): AsyncGenerator<BlobStat> {
  const entries = await disk.unlessAbsent(prefix, () => opendir(join(disk.root, folder)))
  if (!entries) return
  try {
    for (;;) {
      const entry = await onDisk(prefix, () => entries.read())
      if (!entry) return
      const key = folder === '' ? entry.name : `${folder}/${entry.name}`
      // Such as `lost+found` at the top of a disk.
      if (!isSegment(entry.name)) continue
      if (entry.isDirectory()) {
        if (`${key}/`.startsWith(prefix) || prefix.startsWith(`${key}/`)) yield* walk(disk, key, prefix)
      } else if (entry.isFile() && key.startsWith(prefix)) {
        const stat = await statObject(disk, key)
        if (stat) yield stat
      }
    }
  } finally {
    await onDisk(prefix, () => entries.close())
  }
}

/** `undefined` when the object surely does not exist. */
export async function statObject(disk: Disk, key: string): Promise<BlobStat | undefined> {
  const path = disk.pathOf(key)
  const stats = await disk.unlessAbsent(key, () => lstat(path))
  if (!stats || stats.isDirectory()) return undefined
  if (!stats.isFile()) throw notAFile(key)
  return { key, sizeBytes: stats.size, modifiedAt: stats.mtime }
}

export function noObject(key: string): StoreError {
  return new StoreError('missing', key, 'no such object')
}

export function notAFile(key: string): StoreError {
  return new StoreError('permanent', key, 'not a regular file')
}
