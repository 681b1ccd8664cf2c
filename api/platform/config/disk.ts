import { randomUUID } from 'node:crypto'
import { link, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Fault } from './faults.ts'
import type { Config } from './schema/index.ts'

/** Faults that only the disk can tell: the pack cache must be writable and able to hold hard links. */
export async function diskFaults(config: Config): Promise<Fault[]> {
  const folder = config.git.cache_dir
  const probe = join(folder, `.probe-${randomUUID()}`)
  let written = false
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeFile(probe, '')
    written = true
    await link(probe, `${probe}.link`)
    return []
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return [
      {
        key: 'git.cache_dir',
        source: folder,
        message: `must be a folder that can be written to and hard-linked in: ${reason}`,
      },
    ]
  } finally {
    if (written) await Promise.all([rm(probe), rm(`${probe}.link`, { force: true })])
  }
}
