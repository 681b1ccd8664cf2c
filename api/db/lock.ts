import { createClient } from '@libsql/client'
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'

/** Gives the folder back. The operating system does so as well when the process dies, however it dies. */
export type Unlock = () => Promise<void>

/** Another server holds the data folder. */
export class DataDirTaken extends Error {
  constructor(folder: string, cause: unknown) {
    super(`Another server is running on the data folder ${folder}; stop it, or set server.data_dir.`, {
      cause,
    })
    this.name = 'DataDirTaken'
  }
}

/**
 * Claims `dataDir` for this process: SQLite has one writing server only. Node has no file locks of its own, so the
 * claim is SQLite's exclusive lock on a file that holds nothing. Throws {@link DataDirTaken}.
 */
export async function lockDataDir(dataDir: string): Promise<Unlock> {
  const folder = resolve(dataDir)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const client = createClient({ url: `file:${join(folder, 'server.lock')}`, concurrency: 1 })
  try {
    await client.execute('PRAGMA locking_mode = EXCLUSIVE')
    await client.execute('PRAGMA journal_mode = DELETE')
    await client.batch(['CREATE TABLE IF NOT EXISTS held (pid)', 'DELETE FROM held'], 'write')
    await client.execute({ sql: 'INSERT INTO held VALUES (?)', args: [process.pid] })
  } catch (cause) {
    client.close()
    throw new DataDirTaken(folder, cause)
  }
  return async () => {
    // The file is closed when the last statement is collected; its lock ends with this transaction.
    await client.execute('PRAGMA locking_mode = NORMAL')
    await client.execute('DELETE FROM held')
    client.close()
  }
}
