import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Removes what crashed processes left in the folder of temporary files: anything untouched for `maxAgeMs`. */
export async function sweepTempDir(tempDir: string, maxAgeMs: number, now: Date): Promise<void> {
  for (const name of await readdir(tempDir).catch(() => [])) {
    const path = join(tempDir, name)
    const found = await stat(path).catch(() => undefined)
    if (found && now.getTime() - found.mtimeMs > maxAgeMs) await rm(path, { recursive: true, force: true })
  }
}
