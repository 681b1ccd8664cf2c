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

  /** A database as it was before the migration `tag`, with `rows`, and after it. */
  async function migrated(tag: string, rows: string, look: string) {
    const client = createClient({ url: ':memory:' })
    const apply = async (one: string) => {
      const sql = readFileSync(new URL(`${one}.sql`, folder('sqlite')), 'utf8')
      for (const statement of sql.split('--> statement-breakpoint')) await client.execute(statement)
    }
    const tags = journal('sqlite').map((entry) => entry.tag)
    for (const one of tags.slice(0, tags.indexOf(tag))) await apply(one)
    await client.execute(rows)
    await apply(tag)
    const found = await client.execute(look)
    client.close()
    return found.rows
  }

  test('0011 takes what git knows of each repo to its own table', async () => {
    const rows = await migrated(
      '0011_git_repos',
      `insert into repos (id, type, namespace_id, name, name_key, full_key, visibility, default_branch,
      discussions_enabled, created_at, updated_at, ref_seq, prune_seq, indexed_seq, lfs_marked_seq, git_bytes, head_bytes,
      head_files, likes) values ('r', 'model', 'n', 'a', 'a', 'n/a', 'public', 'main', 1, 0, 0, 7, 2, 6, 5, 1234, 1, 1, 0)`,
      'select * from git_repos',
    )
    expect(rows).toEqual([{ repo_id: 'r', ref_seq: 7, prune_seq: 2, lfs_marked_seq: 5, pack_bytes: 1234 }])
  })

  test('0016 keeps how each upload travels and who completes it', async () => {
    const upload = (id: string, size: number, rest: string) =>
      `('${id}', 'r', 'u', 'abc', ${size}, 10, 0, 0, 0, ${rest})`
    const rows = await migrated(
      '0016_spell_out_upload_states',
      `insert into uploads (id, repo_id, user_id, sha256, size, part_size, attempt, created_at, expires_at, status,
      store_upload_id, lease_until, job_id) values ${[
        upload('a', 11, `'open', null, null, null`),
        upload('b', 11, `'completing', null, 5, null`),
        upload('c', 10, `'open', '', null, null`),
        upload('d', 10, `'completing', '', null, 'j'`),
        upload('e', 11, `'open', '', null, null`),
        upload('f', 11, `'completing', 's3', null, 'j'`),
        upload('g', 11, `'aborted', '', null, null`),
        upload('h', 11, `'complete', 's3', null, 'j'`),
        upload('i', 10, `'completing', '', 5, null`),
      ].join(',')}`,
      `select id || ' ' || via || ' ' || status || ' ' || coalesce(store_upload_id, '-') as is_now from uploads order by id`,
    )
    expect(rows.map(({ is_now }) => is_now)).toEqual([
      'a server open -',
      'b server joining -',
      'c bucket-put open -',
      'd bucket-put verifying -',
      'e bucket-parts open -',
      'f bucket-parts verifying s3',
      'g bucket-parts aborted -',
      'h bucket-parts complete s3',
      'i bucket-put joining -',
    ])
  })

  const givenHeads = `insert into repos (id, type, namespace_id, name, name_key, full_key, visibility, default_branch,
    discussions_enabled, created_at, updated_at, likes, head_bytes, head_files, card, task, library, licence) values
    ('r', 'model', 'n', 'r', 'r', 'n/r', 'public', 'main', 1, 0, 0, 0, 12, 3, '{"license":"mit"}', 'fill-mask', 'timm',
    'mit'), ('s', 'model', 'n', 's', 's', 'n/s', 'public', 'main', 1, 0, 0, 0, 1, 1, null, null, null, null)`

  test('0018 takes what heads hold to its own table', async () => {
    const rows = await migrated('0018_repo_heads', givenHeads, 'select * from repo_heads order by repo_id')
    expect(rows).toMatchObject([
      {
        repo_id: 'r',
        type: 'model',
        bytes: 12,
        files: 3,
        card: '{"license":"mit"}',
        task: 'fill-mask',
        library: 'timm',
        licence: 'mit',
        parameters: -1,
        index_status: 'pending',
        index_version: 0,
      },
      { repo_id: 's', bytes: 1, files: 1, card: null, task: null },
    ])
  })

  test('0018 takes the facets of heads to their own table, and counts changes from 0', async () => {
    const look = 'select field, value from repo_facets order by field'
    expect(await migrated('0018_repo_heads', givenHeads, look)).toEqual([
      { field: 'library', value: 'timm' },
      { field: 'licence', value: 'mit' },
      { field: 'task', value: 'fill-mask' },
    ])
    const changed = await migrated('0018_repo_heads', givenHeads, 'select changed from repos')
    expect(changed).toEqual([{ changed: 0 }, { changed: 0 }])
  })

  test.each([[], ['--name', '7'], ['--name', 'Add Things'], ['--name', '../x'], ['--name']])(
    'db:generate wants a name in words: %j',
    async (...flags) => {
      const made = run('node', ['api/dev/db-generate.mjs', ...flags], { cwd: root })
      await expect(made).rejects.toMatchObject({ code: 1 })
    },
  )
})
