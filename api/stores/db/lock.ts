import { createClient } from '@libsql/client/sqlite3'
import { mkdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'

/** Gives the place back. The operating system does so as well when the process dies, however it dies. */
export type Unlock = () => Promise<void>

/** Another server holds the place. */
export class PlaceTaken extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause })
    this.name = 'PlaceTaken'
  }
}

/** Where a server of SQLite keeps what it shares with no other. */
export interface Place {
  dataDir: string
  /** File of the database. */
  dsn: string
}

/**
 * Claims the data folder and the SQLite file for this process: SQLite has one writing server only, and folder and file
 * may lie apart. Throws {@link PlaceTaken}.
 */
export async function lockPlace({ dataDir, dsn }: Place): Promise<Unlock> {
  const folder = resolve(dataDir)
  const file = resolve(dsn)
  const unlockFolder = await lockFile(
    join(folder, 'server.lock'),
    `Another server is running on the data folder ${folder}; stop it, or set server.data_dir.`,
  )
  try {
    const unlockDatabase = await lockFile(
      `${file}.lock`,
      `Another server is running on the database ${file}; stop it, or set database.dsn. Several processes need database.driver postgres.`,
    )
    return async () => {
      await unlockDatabase()
      await unlockFolder()
    }
  } catch (error) {
    await unlockFolder()
    throw error
  }
}

/** Node has no file locks of its own, so the claim is SQLite's exclusive lock on a file that holds nothing. */
async function lockFile(path: string, taken: string): Promise<Unlock> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const client = createClient({ url: `file:${path}`, concurrency: 1 })
  try {
    await client.execute('PRAGMA locking_mode = EXCLUSIVE')
    await client.execute('PRAGMA journal_mode = DELETE')
    await client.batch(['CREATE TABLE IF NOT EXISTS held (pid)', 'DELETE FROM held'], 'write')
    await client.execute({ sql: 'INSERT INTO held VALUES (?)', args: [process.pid] })
  } catch (cause) {
    client.close()
    throw new PlaceTaken(taken, cause)
  }
  return async () => {
    // The file is closed when the last statement is collected; its lock ends with this transaction.
    await client.execute('PRAGMA locking_mode = NORMAL')
    await client.execute('DELETE FROM held')
    client.close()
  }
}
