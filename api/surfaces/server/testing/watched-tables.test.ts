import { createClient } from '@libsql/client/sqlite3'
import { eq, getTableName } from 'drizzle-orm'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { eachDatabase, givenRepo, givenUser, type World } from '../../../testing.ts'
import { columnsOf, stateOf } from './dump.ts'
import { watchTables, type WatchedTables } from './watched-tables.ts'

type Run = (statement: string) => Promise<unknown>

/** Runs `work` with a connection on which the rows of a table may be any. */
async function onConnection(world: World, work: (run: Run) => Promise<void>): Promise<void> {
  if (world.engine === 'postgres') {
    const client = new pg.Client({ connectionString: world.deps.config.database.dsn })
    await client.connect()
    return work((statement) => client.query(statement)).finally(() => client.end())
  }
  const client = createClient({ url: `file:${join(world.dir, 'test.db')}`, concurrency: 1 })
  await client.executeMultiple(
    'PRAGMA busy_timeout = 5000; PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON',
  )
  return work((statement) => client.execute(statement)).finally(() => client.close())
}

eachDatabase('tables that are watched', (world) => {
  let watched: WatchedTables
  beforeEach(async () => {
    watched = await watchTables(world)
  })
  afterEach(() => watched.close())

  test('an insertion, an update and a deletion in each table are noticed, and undone', async () => {
    const before = await stateOf(world)
    await onConnection(world, async (run) => {
      for (const table of Object.values(world.db.t)) {
        const name = getTableName(table)
        const columns = columnsOf(table).map((column) => `"${column}"`)
        // Triggers of a whole statement run on Postgres, even where it meets no row.
        const row =
          world.engine === 'postgres'
            ? `SELECT ${columns.join()} FROM`
            : `SELECT ${columns.map(() => '0').join()} --`
        const insertion = `INSERT INTO ${name} (${columns.join()}) ${row} ${name}`
        for (const change of [
          '',
          `UPDATE ${name} SET ${columns[0]} = ${columns[0]}`,
          `DELETE FROM ${name}`,
        ]) {
          await run(insertion)
          if (change) {
            await (world.engine === 'postgres' ? watched.restore() : run('DELETE FROM touched_tables'))
            await run(change)
          }
          expect([name, change, await watched.touched()]).toEqual([name, change, [name]])
          await watched.restore()
          expect(await watched.touched()).toEqual([])
        }
      }
    })
    expect(await stateOf(world)).toEqual(before)
  })

  test('what keys take along is noticed, and comes back', async () => {
    const owner = await givenUser(world, 'owner')
    const repo = await givenRepo(world, owner)
    await watched.close()
    watched = await watchTables(world)
    const before = await stateOf(world)
    await world.db.write(async ({ q, t }) => {
      await q.delete(t.tokens)
      await q.delete(t.repos).where(eq(t.repos.id, repo.id))
    })
    const after = await stateOf(world)
    const changed = Object.keys(after).filter((name) => after[name] !== before[name])
    expect(changed).toContain('repos')
    expect(await watched.touched()).toEqual(expect.arrayContaining(changed))
    await watched.restore()
    expect(await stateOf(world)).toEqual(before)
    expect(await watched.touched()).toEqual([])
  })
})
