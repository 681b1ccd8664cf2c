import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import type { Setup } from './messages.ts'

/** Temporary bytes of sorting and of what does not fit into memory. */
const MAX_TEMP = '20GB'

export interface Duck {
  connection: DuckDBConnection
  close(): void
}

/** DuckDB of this child. It loads no extension, and its settings cannot be changed once the first query runs. One thread takes the least memory. */
export async function openDuck({ folder, memoryMb }: Setup, threads = '1'): Promise<Duck> {
  const temp = join(folder, 'duckdb')
  await mkdir(temp, { recursive: true })
  const instance = await DuckDBInstance.create(':memory:', {
    threads,
    memory_limit: `${memoryMb}MB`,
    temp_directory: temp,
    max_temp_directory_size: MAX_TEMP,
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    allow_community_extensions: 'false',
  })
  const connection = await instance.connect()
  await connection.run('SET lock_configuration=true')
  const close = () => {
    connection.closeSync()
    instance.closeSync()
  }
  return { connection, close }
}
