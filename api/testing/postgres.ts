import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { openDb } from '../stores/db/index.ts'
import { schema } from '../app/schema.ts'

/** The Postgres that `npm test` has started; nothing in `npm run test:quick`. */
export const postgresUrl = process.env['ARSENAL_TEST_POSTGRES']

/** Runs statements beside all databases of the tests. */
async function asAdmin<T>(adminUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

function urlOf(adminUrl: string, name: string): string {
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  return url.href
}

let template: Promise<string> | undefined

/** A database with every table, which others are copies of: that costs a tenth of the migrations. One for each process. */
async function createTemplate(adminUrl: string): Promise<string> {
  const name = `template_${randomUUID().replaceAll('-', '')}`
  await asAdmin(adminUrl, (client) => client.query(`CREATE DATABASE ${name}`))
  const db = await openDb({ driver: 'postgres', dsn: urlOf(adminUrl, name), max_open_conns: 1 }, schema)
  await db.close()
  return name
}

/** A database without any table: its address. */
export async function takeEmptyPostgresDatabase(adminUrl: string): Promise<string> {
  const name = `empty_${randomUUID().replaceAll('-', '')}`
  await asAdmin(adminUrl, (client) => client.query(`CREATE DATABASE ${name}`))
  return urlOf(adminUrl, name)
}

/** Databases of tests that are over, which hold no row. */
const idle: string[] = []

/** A database with every table and no row: its address. */
export async function takePostgresDatabase(adminUrl: string): Promise<string> {
  const used = idle.pop()
  if (used) return used
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const model = await (template ??= createTemplate(adminUrl))
  await asAdmin(adminUrl, (client) => client.query(`CREATE DATABASE ${name} TEMPLATE ${model}`))
  return urlOf(adminUrl, name)
}

/** Ends whatever else is connected, which keeps rows locked. */
const disconnectOthers = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid()`

/** In any order: what a foreign key asks is not looked at meanwhile. */
const deleteRows = `DO $$ DECLARE name text; BEGIN
  SET LOCAL session_replication_role = replica;
  FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
    EXECUTE format('DELETE FROM %I', name);
  END LOOP;
END $$`

/**
 * Empties a database for the next test file. Dropping it and making another writes and deletes three hundred files; over
 * all tests that took a tenth of the machine.
 */
export async function releasePostgresDatabase(url: string): Promise<void> {
  await asAdmin(url, async (client) => {
    await client.query(disconnectOthers)
    await client.query(deleteRows)
  })
  idle.push(url)
}
