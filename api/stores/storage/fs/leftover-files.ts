import { lstat, opendir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Disk } from './disk.ts'
import { hasCode } from './errors.ts'

const hourMs = 3_600_000

/** A write touches its temporary file all the time; one left alone for so long has lost its writer. */
const TEMP_AGE_MS = 24 * hourMs

/** Removes what a crash left behind: temporary files that have not been touched for long. */
export async function deleteLeftovers(disk: Disk, now: Date): Promise<void> {
  await sweepFolder(disk.temps, now.getTime() - TEMP_AGE_MS)
}

async function sweepFolder(folder: string, olderThanMs: number): Promise<void> {
  for await (const { name } of await opendir(folder)) {
    const path = join(folder, name)
    try {
      if ((await lstat(path)).mtimeMs < olderThanMs) await rm(path, { recursive: true, force: true })
    } catch (error) {
      if (!hasCode(error, 'ENOENT')) throw error
    }
  }
}
