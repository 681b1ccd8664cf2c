import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import { engineThreads } from '../../engine-threads.ts'
import { quoted } from '../../sql-text.ts'
import type { LocalFile } from './messages.ts'

/** A database of views over files, which can read nothing else. */
export interface Locked {
  connection: DuckDBConnection
  close(): void
}

/** The view of one file: `f0`, `f1`, … Rows have their position in the file as `idx`. */
export const viewOf = (i: number): string => `f${i}`

/**
 * Opens a database in memory that reads these files alone: no other file, no network, no extension, and no setting can be
 * changed any more. It may write `written`.
 */
export async function openLocked(
  files: LocalFile[],
  tempDir: string,
  written: string[] = [],
): Promise<Locked> {
  const locked = await openPaths([...files.map(({ path }) => path), ...written], tempDir)
  try {
    for (const [i, file] of files.entries()) await locked.connection.run(createView(i, file))
    return locked
  } catch (error) {
    locked.close()
    throw error
  }
}

/** As `openLocked`, without views. */
export async function openPaths(allowed: string[], tempDir: string): Promise<Locked> {
  const instance = await DuckDBInstance.create(':memory:', { threads: engineThreads, memory_limit: '512MB' })
  const connection = await instance.connect()
  const close = () => {
    connection.closeSync()
    instance.closeSync()
  }
  try {
    const paths = allowed.map(quoted).join(', ')
    for (const statement of [
      `SET temp_directory = ${quoted(tempDir)}`,
      "SET max_temp_directory_size = '20GB'",
      "SET TimeZone = 'UTC'",
      'SET parquet_metadata_cache = true',
      'SET autoinstall_known_extensions = false',
      'SET autoload_known_extensions = false',
      'SET allow_community_extensions = false',
      `SET allowed_paths = [${paths}]`,
      'SET enable_external_access = false',
      'SET lock_configuration = true',
    ])
      await connection.run(statement)
    return { connection, close }
  } catch (error) {
    close()
    throw error
  }
}

/** Columns get names of ours by their order, so that no name of a user is ever in a query. */
function createView(i: number, { path, columns, lacking }: LocalFile): string {
  const absent = lacking.map(({ place, type }) => `, CAST(NULL AS ${type}) AS ${place}`).join('')
  const named = [...columns, 'idx', ...lacking.map(({ place }) => place)].join(', ')
  return `CREATE VIEW ${viewOf(i)}(${named}) AS SELECT *, file_row_number${absent} FROM read_parquet(${quoted(path)})`
}
