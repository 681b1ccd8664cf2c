import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Db } from './db.ts'
import type { Schema } from './schema.ts'

/** The part of the configuration that names the database. */
export interface DatabaseConfig {
  driver: 'sqlite' | 'postgres'
  dsn: string
  /** Of the whole process: with Postgres one of them is for `joinServers`. */
  max_open_conns: number
}

/** `drizzle/{engine}` of this installation, from the source tree as from the bundle. */
export function migrationsFolder(engine: string): string {
  for (let dir = dirname(fileURLToPath(import.meta.url)); dir !== dirname(dir); dir = dirname(dir)) {
    const folder = join(dir, 'drizzle', engine)
    if (existsSync(join(folder, 'meta', '_journal.json'))) return folder
  }
  throw new Error(`the folder drizzle/${engine} with the migrations is missing from this installation`)
}

/**
 * Opens the configured database with the tables of `schema` and applies the migrations it lacks: all of this release, or
 * those of `folder`. Each engine's driver is loaded only when used.
 */
export async function openDb(
  { driver, dsn, max_open_conns }: DatabaseConfig,
  schema: Schema,
  folder: string = migrationsFolder(driver),
): Promise<Db> {
  if (driver === 'sqlite') {
    const { openSqlite } = await import('./sqlite.ts')
    return openSqlite(dsn, { schema, migrationsFolder: folder })
  }
  const { openPostgres } = await import('./postgres.ts')
  const maxConnections = Math.max(1, max_open_conns - 1)
  return openPostgres(dsn, { schema, maxConnections, migrationsFolder: folder })
}
