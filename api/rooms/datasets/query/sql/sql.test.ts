import { beforeAll, describe, expect, test } from 'vitest'
import type { UserActor } from '../../../../core/access/index.ts'
import { oneDatabase, givenUser } from '../../../../testing.ts'
import type { Repo } from '../../../repos/index.ts'
import { answerViewer } from '../../viewer/answer.ts'
import { givenExport, parquetOf } from '../../viewer/testing.ts'

/** Processes start for these, which takes its time on a busy machine. */
interface Answer {
  columns: { name: string; type: string }[]
  rows: unknown[][]
  truncated: boolean
  partial: boolean
}

oneDatabase('SQL over the splits of a dataset', (world) => {
  let owner: UserActor
  let repo: Repo
  beforeAll(async () => {
    owner = await givenUser(world, 'owner')
    const rows = await parquetOf(
      "SELECT i AS id, 'name ' || i AS name, {'a': i % 3} AS s, [i, i + 1] AS l FROM range(20000) t(i)",
    )
    const more = await parquetOf(
      "SELECT i + 20000 AS id, 'later' AS name, NULL AS s, NULL AS l FROM range(5) t(i)",
    )
    const other = await parquetOf('SELECT 9007199254740993 AS id, true AS "is it"')
    repo = await givenExport(world, owner, [
      { split: 'train', files: [rows, more] },
      { split: 'dev.1', files: [other] },
    ])
  })

  async function text(query: string): Promise<string> {
    const params = new Map([
      ['dataset', `${repo.ns}/${repo.name}`],
      ['config', 'default'],
      ['query', query],
    ])
    const { body } = await answerViewer(world.ctx(owner), 'sql', (name) => params.get(name))
    return body
  }
  const run = async (query: string) => JSON.parse(await text(query)) as Answer

  test('splits are tables, over all of their files', async () => {
    expect(await run('SELECT count(*) AS n, max(id) AS top FROM train')).toMatchObject({
      columns: [
        { name: 'n', type: 'BIGINT' },
        { name: 'top', type: 'BIGINT' },
      ],
      rows: [[20005, 20004]],
      truncated: false,
      partial: false,
    })
    const joined = `WITH few AS (SELECT id, s.a AS a, l[1] AS first FROM train WHERE id < 3)
      SELECT a, count(*), list(first ORDER BY first), row_number() OVER (ORDER BY a) FROM few GROUP BY a ORDER BY a -- end`
    expect((await run(joined)).rows).toEqual([0, 1, 2].map((a) => [a, 1, [a], a + 1]))
  })

  test('integers keep their digits, and odd names are quoted', async () => {
    expect(await text('FROM "dev.1"')).toContain('"rows":[[9007199254740993,true]]')
    expect(await text("SELECT [{'a b': id, 't': '1'}] FROM \"dev.1\"")).toContain(
      '[[[{"a b":9007199254740993,"t":"1"}]]]',
    )
  })

  test('more than 10,000 rows are cut, and the answer says so', async () => {
    const { rows, truncated } = await run('SELECT id FROM train')
    expect([rows.length, truncated]).toEqual([10_000, true])
  })

  test('what the engine cannot run is explained', async () => {
    await expect(run('SELEC 1')).rejects.toMatchObject({ code: 'InvalidParameter', message: /syntax error/ })
    await expect(run('SELECT nothing FROM train')).rejects.toMatchObject({ message: /nothing/ })
    await expect(run('SELECT * FROM elsewhere')).rejects.toMatchObject({
      message: /tables are the splits: train/,
    })
  })

  describe('nothing but the splits can be reached', () => {
    test.each([
      "COPY train TO '/tmp/x'",
      "ATTACH '/tmp/x.db'",
      'CREATE TABLE x AS SELECT 1',
      'DROP VIEW train',
      "SET memory_limit = '1TB'",
      'RESET ALL',
      'INSTALL httpfs',
      'LOAD httpfs',
      'PRAGMA database_list',
      'CALL duckdb_settings()',
      'SELECT 1; SELECT 2',
      'EXPLAIN SELECT 1',
      'DESCRIBE train',
      'SELECT * FROM (SHOW ALL TABLES)',
      'SELECT * FROM (SUMMARIZE train)',
      'SELECT * FROM duckdb_settings()',
      'SELECT * FROM duckdb_views',
      'SELECT * FROM information_schema.tables',
      'SELECT * FROM pg_catalog.pg_class',
      'SELECT (WITH duckdb_views AS (SELECT 1) SELECT 1), * FROM duckdb_views',
      "SELECT * FROM '/etc/passwd'",
      "SELECT * FROM 'https://example.com/x.parquet'",
      "SELECT * FROM read_text('/etc/passwd')",
      "SELECT * FROM read_csv('/etc/passwd')",
      "SELECT * FROM parquet_metadata('/etc/passwd')",
      "SELECT * FROM glob('/*')",
      "SELECT * FROM query('SELECT 1')",
      "SELECT * FROM query_table('train')",
      "SELECT * FROM json_execute_serialized_sql('{}')",
      "SELECT (SELECT content FROM read_text('/etc/passwd'))",
      "SELECT current_setting('temp_directory')",
      "SELECT system.main.current_setting('temp_directory')",
      "SELECT 'temp_directory'.current_setting()",
      "SELECT getvariable('x')",
      "SELECT list_transform(['a'], lambda x: current_setting(x))",
      "SELECT id FROM train ORDER BY current_setting('a')",
      "SELECT count(*) FILTER (current_setting('a') = '') FROM train",
      "SELECT repeat('a', 2000000000)",
      "SELECT length(lpad('a', 2000000000, 'b'))",
      "SELECT write_log('x')",
      'SELECT sleep_ms(1000)',
    ])('%s', async (query) => {
      await expect(run(query)).rejects.toMatchObject({ code: 'InvalidParameter' })
    })

    test('messages name no file of the server', async () => {
      for (const query of [
        'SELECT id::DATE FROM train',
        'SELECT error(name) FROM train',
        "SELECT 'x'::INT FROM train",
      ]) {
        const failure = await run(query).then(
          () => expect.fail('it ran'),
          (error: unknown) => String(error),
        )
        expect(failure).not.toContain(world.dir)
      }
    })

    test('a caller without the repo sees none', async () => {
      const stranger = await givenUser(world, 'stranger')
      const hidden = await givenExport(world, owner, [{ files: [await parquetOf('SELECT 1 AS id')] }], {
        visibility: 'private',
      })
      const params = new Map([
        ['dataset', `${hidden.ns}/${hidden.name}`],
        ['config', 'default'],
        ['query', 'FROM train'],
      ])
      await expect(
        answerViewer(world.ctx(stranger), 'sql', (name) => params.get(name)),
      ).rejects.toMatchObject({ code: 'ExternalAuthenticatedError' })
    })
  })

  test('what takes too long or too much ends, and the next query runs', async () => {
    const ctx = { ...world.ctx(owner), config: structuredClone(world.ctx(owner).config) }
    ctx.config.viewer.max_scan_seconds = 500
    const params = new Map([
      ['dataset', `${repo.ns}/${repo.name}`],
      ['config', 'default'],
      [
        'query',
        'SELECT count(*) FROM range(100000000000) a(x), range(100000000000) b(y) WHERE x % 7 = y % 11',
      ],
    ])
    await expect(answerViewer(ctx, 'sql', (name) => params.get(name))).rejects.toMatchObject({
      message: /longer than 0.5 seconds/,
    })
    await expect(run('SELECT list(x) FROM range(3000000000) a(x)')).rejects.toMatchObject({
      code: 'InvalidParameter',
    })
    expect((await run('SELECT 1')).rows).toEqual([[1]])
  })
})
