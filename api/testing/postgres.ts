import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { openDb } from '../db/index.ts'

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
  const db = await openDb({ driver: 'postgres', dsn: urlOf(adminUrl, name), max_open_conns: 1 })
  await db.close()
  return name
}

/** A new database with every table and no row: its address. */
export async function createPostgresDatabase(adminUrl: string): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const model = await (template ??= createTemplate(adminUrl))
  await asAdmin(adminUrl, (client) => client.query(`CREATE DATABASE ${name} TEMPLATE ${model}`))
  return urlOf(adminUrl, name)
}

/** Ends it, with whatever is connected to it. */
export async function dropPostgresDatabase(adminUrl: string, url: string): Promise<void> {
  const name = new URL(url).pathname.slice(1)
  await asAdmin(adminUrl, (client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`))
}
