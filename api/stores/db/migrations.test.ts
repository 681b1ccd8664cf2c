import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { createClient } from '@libsql/client/sqlite3'
import { getTableConfig } from 'drizzle-orm/sqlite-core'
import { describe, expect, test } from 'vitest'
import * as forPostgres from '../../../drizzle/postgres.schema.ts'
import * as forSqlite from '../../../drizzle/sqlite.schema.ts'
import { columns } from './columns.sqlite.ts'
import { schema } from '../../app/schema.ts'

const run = promisify(execFile)
const root = new URL('../../../', import.meta.url)
const engines = ['sqlite', 'postgres'] as const
const folder = (engine: string) => new URL(`drizzle/${engine}/`, root)

const read = (engine: string, name: string): unknown =>
  JSON.parse(readFileSync(new URL(`meta/${name}`, folder(engine)), 'utf8'))

const journal = (engine: string) => {
  const { entries } = read(engine, '_journal.json') as { entries: { idx: number; tag: string }[] }
  return entries.map(({ idx, tag }) => ({ idx, tag }))
}

describe('migrations', () => {
  test('one number is one change, in words, for both engines', () => {
    expect(journal('postgres')).toEqual(journal('sqlite'))
    journal('sqlite').forEach(({ idx, tag }, i) => {
      expect(idx).toBe(i)
      expect(tag).toMatch(new RegExp(`^${String(i).padStart(4, '0')}(_[a-z0-9]+)+$`))
    })
  })

  test.each(engines)('every entry of the journal of %s has its file, and every file its entry', (engine) => {
    const files = readdirSync(folder(engine)).filter((name) => name.endsWith('.sql'))
    expect(files.toSorted()).toEqual(journal(engine).map(({ tag }) => `${tag}.sql`))
  })

  test('all tables are shown to the generator', () => {
    const tables = Object.keys(schema(columns)).toSorted()
    expect(Object.keys(forSqlite).toSorted()).toEqual(tables)
    expect(Object.keys(forPostgres).toSorted()).toEqual(tables)
  })

  test.each(engines)('the last migration of %s leaves the tables as the rooms declare them', (engine) => {
    const last = String(journal(engine).length - 1).padStart(4, '0')
    const { tables } = read(engine, `${last}_snapshot.json`) as {
      tables: Record<string, { name: string; columns: Record<string, { name: string; notNull: boolean }> }>
    }
    const migrated = Object.values(tables).map(({ name, columns: made }) => [
      name,
      Object.values(made).map((column) => [column.name, column.notNull]),
    ])
    const declared = Object.values(schema(columns)).map((table) => {
      const { name, columns: wanted } = getTableConfig(table)
      return [name, wanted.map((column) => [column.name, column.notNull])]
    })
    expect(migrated.toSorted()).toEqual(declared.toSorted())
  })

  test('0011 takes what git knows of each repo to its own table', async () => {
    const client = createClient({ url: ':memory:' })
    const apply = async (tag: string) => {
      const sql = readFileSync(new URL(`${tag}.sql`, folder('sqlite')), 'utf8')
      for (const statement of sql.split('--> statement-breakpoint')) await client.execute(statement)
    }
    const tags = journal('sqlite').map(({ tag }) => tag)
    const at = tags.indexOf('0011_git_repos')
    for (const tag of tags.slice(0, at)) await apply(tag)
    await client.execute(`insert into repos (id, type, namespace_id, name, name_key, full_key, visibility, default_branch,
      discussions_enabled, created_at, updated_at, ref_seq, prune_seq, indexed_seq, lfs_marked_seq, git_bytes, head_bytes,
      head_files, likes) values ('r', 'model', 'n', 'a', 'a', 'n/a', 'public', 'main', 1, 0, 0, 7, 2, 6, 5, 1234, 1, 1, 0)`)
    await apply(tags[at] ?? '')
    const { rows } = await client.execute('select * from git_repos')
    expect(rows).toEqual([{ repo_id: 'r', ref_seq: 7, prune_seq: 2, lfs_marked_seq: 5, pack_bytes: 1234 }])
    client.close()
  })

  test.each([[], ['--name', '7'], ['--name', 'Add Things'], ['--name', '../x'], ['--name']])(
    'db:generate wants a name in words: %j',
    async (...flags) => {
      const made = run('node', ['api/dev/db-generate.mjs', ...flags], { cwd: root })
      await expect(made).rejects.toMatchObject({ code: 1 })
    },
  )
})
