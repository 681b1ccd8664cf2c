import { createClient, type Client } from '@libsql/client/sqlite3'
import { getTableName } from 'drizzle-orm'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import type { World } from '../../../testing.ts'
import { columnsOf } from './dump.ts'

/**
 * Which tables were written to, by triggers, and a way back to what they held. Thousands of requests are each followed
 * by a look at what they changed: at all tables that takes most of the time.
 */
export interface WatchedTables {
  /** Names of the tables that any statement or foreign key has written to since the last `restore`. */
  touched(): Promise<string[]>
  /** Makes these tables hold what they held when the watch began. */
  restore(): Promise<void>
  close(): Promise<void>
}

/** The statements of an engine, run on a connection of their own on which foreign keys do nothing. */
interface Watcher {
  begin(names: string[]): Promise<void>
  touched(): Promise<string[]>
  restore(tables: { name: string; columns: string }[]): Promise<void>
  close(): Promise<void>
}

export async function watchTables(world: World): Promise<WatchedTables> {
  const columns = new Map(
    Object.values(world.db.t).map(
      (table) => [getTableName(table), columnsOf(table).map(quoted).join()] as const,
    ),
  )
  const watcher = world.engine === 'sqlite' ? onSqlite(world.dir) : await onPostgres(world)
  await watcher.begin([...columns.keys()])
  return {
    touched: () => watcher.touched(),
    close: () => watcher.close(),
    async restore() {
      const names = await watcher.touched()
      if (names.length === 0) return
      await watcher.restore(names.map((name) => ({ name, columns: columns.get(name) ?? '' })))
      // What the server keeps in memory of its database holds until its next write.
      await world.db.write(() => Promise.resolve())
    },
  }
}

const quoted = (name: string) => `"${name}"`

const refilled = ({ name, columns }: { name: string; columns: string }) =>
  `DELETE FROM ${name}; INSERT INTO ${name} (${columns}) SELECT ${columns} FROM kept.${name};`

function onSqlite(dir: string): Watcher {
  const client: Client = createClient({ url: `file:${join(dir, 'test.db')}`, concurrency: 1 })
  const kept = join(dir, 'kept.db')
  const trigger = (name: string, verb: string) =>
    `CREATE TRIGGER watch_${name}_${verb} AFTER ${verb} ON ${name} BEGIN
      INSERT INTO touched_tables SELECT '${name}' WHERE NOT EXISTS (SELECT 1 FROM touched_tables WHERE name = '${name}');
    END;`
  return {
    async begin(names) {
      await client.executeMultiple(`PRAGMA busy_timeout = 5000; PRAGMA foreign_keys = OFF; PRAGMA synchronous = OFF;
        ATTACH '${kept}' AS kept; CREATE TABLE touched_tables (name text);`)
      for (const name of names)
        await client.executeMultiple(`CREATE TABLE kept.${name} AS SELECT * FROM main.${name};
          ${['INSERT', 'UPDATE', 'DELETE'].map((verb) => trigger(name, verb)).join('')}`)
    },
    async touched() {
      const { rows } = await client.execute('SELECT name FROM touched_tables')
      return rows.map(({ name }) => String(name))
    },
    restore: (tables) =>
      client.executeMultiple(
        `BEGIN IMMEDIATE; ${tables.map(refilled).join('')} DELETE FROM touched_tables; COMMIT;`,
      ),
    async close() {
      const { rows } = await client.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'")
      const drops = rows.map(({ name }) => `DROP TRIGGER ${String(name)};`)
      await client.executeMultiple(`${drops.join('')} DROP TABLE touched_tables; DETACH kept`)
      client.close()
      await rm(kept)
    },
  }
}

async function onPostgres(world: World): Promise<Watcher> {
  const client = new pg.Client({ connectionString: world.deps.config.database.dsn })
  await client.connect()
  return {
    async begin(names) {
      // A table without a key: those who write at the same time do not wait for each other.
      await client.query(`SET session_replication_role = replica; CREATE SCHEMA kept; CREATE TABLE kept.touched_tables (name text);
        CREATE FUNCTION kept.touch() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN INSERT INTO kept.touched_tables VALUES (TG_TABLE_NAME); RETURN NULL; END $$`)
      for (const name of names)
        await client.query(`CREATE TABLE kept.${name} AS TABLE public.${name};
          CREATE TRIGGER watched AFTER INSERT OR UPDATE OR DELETE ON public.${name} EXECUTE FUNCTION kept.touch()`)
    },
    async touched() {
      const { rows } = await client.query<{ name: string }>('SELECT DISTINCT name FROM kept.touched_tables')
      return rows.map(({ name }) => name)
    },
    async restore(tables) {
      await client.query(`BEGIN; ${tables.map(refilled).join('')} DELETE FROM kept.touched_tables; COMMIT`)
    },
    async close() {
      // The database serves another test file next.
      await client.query('DROP SCHEMA kept CASCADE')
      await client.end()
    },
  }
}
