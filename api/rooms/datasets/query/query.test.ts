import { expect, test } from 'vitest'
import type { ViewerPage } from '../../../../shared/viewer.ts'
import { buildApp } from '../../../app/app.ts'
import { eachStore, givenToken, givenUser, type World } from '../../../testing.ts'
import { givenExport, parquetOf, type GivenSplit } from '../viewer/testing.ts'

eachStore('filters, searches and sorting', (world) => {
  let made = 0
  type Viewer = World['deps']['config']['viewer']
  async function given(splits: GivenSplit[], viewer: Partial<Viewer> = {}) {
    const owner = await givenUser(world, `owner${++made}`)
    const repo = await givenExport(world, owner, splits)
    const { secret } = await givenToken(world, owner)
    const { config } = world.deps
    const deps = { ...world.deps, config: { ...config, viewer: { ...config.viewer, ...viewer } } }
    const app = buildApp(deps, { state: 'ready', check: async () => undefined })
    return async (endpoint: string, params: Record<string, string>) => {
      const query = new URLSearchParams({
        dataset: `${repo.ns}/${repo.name}`,
        config: 'default',
        split: 'train',
        ...params,
      })
      const answer = await app.request(`/viewer-api/${endpoint}?${query}`, {
        headers: { Authorization: `Bearer ${secret}` },
      })
      const body = (await answer.json()) as ViewerPage & { error?: string }
      return { status: answer.status, code: answer.headers.get('x-error-code'), header: answer.headers, body }
    }
  }
  const ids = ({ body }: { body: ViewerPage }) => body.rows.map(({ row_idx }) => row_idx)

  const people = async () => {
    const file = (from: number, to: number) =>
      parquetOf(
        `SELECT range AS id, 'Name ' || (range % 100) AS name, range / 10.0 AS score, range % 2 = 0 AS even,
          timestamp '2024-01-01' + to_days(range::INT) AS at, {'City': 'C' || (range % 5)} AS place,
          ['tag' || (range % 3), 'x'] AS tags, CASE WHEN range % 10 = 0 THEN NULL ELSE range % 3 END AS label,
          'a "quoted" \\ ''thing''' AS "odd ""name"" -- x"
        FROM range(${from}, ${to})`,
      )
    return [await file(0, 3000), await file(3000, 5000)]
  }

  test('find rows by every kind of column, with their position in the split', async () => {
    const ask = await given([{ files: await people() }])
    const find = async (where: string, more = {}) => ids(await ask('filter', { where, ...more }))
    expect(await find('"id" = 3000')).toEqual([3000])
    expect(await find(`name = 'Name 7' AND id > 3000`, { length: '3' })).toEqual([3007, 3107, 3207])
    expect(await find(`"name" ilike 'NAME 7' and not (id <= 3000 or id >= 3200)`)).toEqual([3007, 3107])
    expect(await find('score > 499.85')).toEqual([4999])
    expect(await find('even is true and id between 10 and 14')).toEqual([10, 12, 14])
    expect(await find(`at = '2024-01-05'`)).toEqual([4])
    expect(await find('at.year() = 2037 and at.month() = 9 and at.day() = 8')).toEqual([4999])
    expect(await find(`place.city = 'C4' and id < 10`)).toEqual([4, 9])
    expect(await find('tags.len() = 2 and id in (1, 2, 77777)')).toEqual([1, 2])
    expect(await find('label is null and id < 30')).toEqual([0, 10, 20])
    expect(await find(`"odd ""name"" -- x" = 'a "quoted" \\ ''thing''' and id = 5`)).toEqual([5])
    const { body } = await ask('filter', { where: 'even is false', offset: '2490', length: '100' })
    expect([body.num_rows_total, body.rows.length, body.partial, body.scan]).toEqual([
      2500,
      10,
      false,
      { rows: 5000, complete: true },
    ])
    expect(body.rows[9]).toMatchObject({ row_idx: 4999, row: { id: 4999, place: { City: 'C4' } } })
  })

  test('answer the same cells as rows do, whether the engine or the file is read for them', async () => {
    const values = `range AS id, CASE range % 4 WHEN 0 THEN NULL WHEN 1 THEN 'é "q" \\ \u2028' || chr(10) ELSE 'x' END AS text,
      CASE range % 3 WHEN 0 THEN 'nan'::DOUBLE WHEN 1 THEN '-inf'::DOUBLE ELSE range / 7.0 END AS real,
      (range / 3.0)::FLOAT AS single, range % 2 = 0 AS even, (-range)::TINYINT AS tiny,
      9223372036854775807 - range AS large, 18446744073709551615 - range::UBIGINT AS unsigned`
    const long = `repeat('ü"', CASE WHEN range = 7 THEN 90 ELSE 5 END) AS long`
    const tables = {
      plain: values,
      long: `${values}, ${long}`,
      lists: `${values}, [range] AS list`,
      moments: `${values}, timestamp '2024-01-01' + to_days(range::INT) AS at`,
    }
    for (const [name, columns] of Object.entries(tables)) {
      const files = [
        await parquetOf(`SELECT ${columns} FROM range(12)`),
        await parquetOf(`SELECT ${columns} FROM range(12)`),
      ]
      const ask = await given([{ files }], { max_cell_bytes: 100 })
      const all = (await ask('rows', { length: '24' })).body
      const found = (await ask('filter', { where: 'id >= 4', offset: '2', length: '10' })).body
      const rows = all.rows.filter(({ row }) => Number(row['id']) >= 4).slice(2, 12)
      expect([name, found.rows]).toEqual([name, rows])
      expect(found.features).toEqual(all.features)
    }
  })

  test('find rows beside a column that the card calls text and the file bytes', async () => {
    const files = [await parquetOf(`SELECT range AS id, encode('é' || range) AS text FROM range(20)`)]
    const features = [
      { name: 'id', type: { _type: 'Value' as const, dtype: 'int64' } },
      { name: 'text', type: { _type: 'Value' as const, dtype: 'string' } },
    ]
    const ask = await given([{ files, features }])
    const { status, body } = await ask('filter', { where: 'id > 17' })
    expect([status, body.rows.map(({ row }) => row['text'])]).toEqual([200, ['é18', 'é19']])
  })

  test('find rows beside text that is damaged', async () => {
    const bytes = await parquetOf(
      `SELECT range AS id, 'QQQQQQ' || range AS text FROM range(20)`,
      'COMPRESSION uncompressed',
    )
    const damaged = Buffer.from(bytes.toString('latin1').replaceAll('QQQQQQ', '\xff'.repeat(6)), 'latin1')
    const ask = await given([{ files: [damaged] }])
    const { status, body } = await ask('filter', { where: 'id > 17' })
    expect([status, body.rows.map(({ row_idx }) => row_idx)]).toEqual([200, [18, 19]])
  })

  test('sort by a column, rows without a value last, equal ones in the order of the split', async () => {
    const ask = await given([{ files: await people() }])
    const sorted = async (orderby: string, more = {}) =>
      ids(await ask('filter', { orderby, length: '3', ...more }))
    expect(await sorted('id desc')).toEqual([4999, 4998, 4997])
    expect(await sorted('"label"')).toEqual([3, 6, 9])
    expect(await sorted('label DESC', { offset: '4498', where: 'id >= 0' })).toEqual([4995, 4998, 0])
    expect(await sorted('name.length() asc', { offset: '500' })).toEqual([10, 11, 12])
    expect((await ask('filter', { orderby: 'id', offset: '9999' })).code).toBe('InvalidParameter')
    expect((await ask('filter', { orderby: 'tags' })).code).toBe('InvalidParameter')
  })

  test('search text, fields, lists, JSON and labels in any case', async () => {
    const select = `SELECT * FROM (VALUES
      (0, 'Straße', {'a': 'x'}, ['one'], '{"k": "deep"}'::JSON, 0),
      (1, 'b', {'a': 'Needle'}, ['two', 'THREE'], '{}'::JSON, 1),
      (2, NULL, NULL, NULL, NULL, NULL)) AS t(n, text, struct, list, json, label)`
    const file = await parquetOf(select)
    const text = { _type: 'Value', dtype: 'string' } as const
    const ask = await given([
      {
        files: [file],
        features: [
          { name: 'n', type: { _type: 'Value', dtype: 'int32' } },
          { name: 'text', type: text },
          { name: 'struct', type: { a: text } },
          { name: 'list', type: { _type: 'List', feature: text } },
          { name: 'json', type: { _type: 'Json' } },
          { name: 'label', type: { _type: 'ClassLabel', names: ['cat', 'Dog'] } },
        ],
      },
    ])
    const search = async (query: string) => ids(await ask('search', { query }))
    expect(await search('STRASSE')).toEqual([])
    expect(await search('straße')).toEqual([0])
    expect(await search('needle')).toEqual([1])
    expect(await search('three')).toEqual([1])
    expect(await search('DEEP')).toEqual([0])
    expect(await search('dog')).toEqual([1])
    expect(await search("' OR true --")).toEqual([])
    expect((await ask('search', { query: 'x'.repeat(501) })).code).toBe('InvalidParameter')
    expect((await ask('search', {})).code).toBe('MissingRequiredParameter')
    expect(ids(await ask('filter', { where: `label = 'Dog'` }))).toEqual([1])
    expect((await ask('filter', { where: `label = 'Bird'` })).body.error).toContain(
      'There is no label "Bird"',
    )
    expect((await ask('filter', { where: `json = '1'` })).code).toBe('InvalidParameter')
    expect(ids(await ask('filter', { where: 'json is null' }))).toEqual([2])
  })

  test('look at so many rows and no more, and say how far they came', async () => {
    const ask = await given([{ files: await people() }], { max_scan_rows: 3500 })
    const { body } = await ask('filter', { where: 'id >= 2999' })
    expect([body.num_rows_total, body.partial, body.scan]).toEqual([
      501,
      true,
      { rows: 3500, complete: false },
    ])
    expect(body.rows[0]?.row_idx).toBe(2999)
  })

  test('look for so long and no longer, and say how far they came', async () => {
    const rows = 1_000_000
    const file = await parquetOf(`SELECT range AS id, 'text ' || range AS text FROM range(${rows})`)
    const ask = await given([{ files: [file] }], { max_scan_seconds: 200 })
    // No text has a z, so that each looks at every text to its end; together they take seconds.
    const where = Array.from({ length: 49 }, (_, i) => `NOT text ILIKE '%z%${i}%'`).join(' AND ')
    const { status, body } = await ask('filter', { where })
    expect([status, body.partial, body.scan?.complete]).toEqual([200, true, false])
    expect(body.scan?.rows).toBeLessThan(rows)
    expect(body.num_rows_total).toBe(body.scan?.rows)
  })

  test('take columns of whatever name and case', async () => {
    const file = await parquetOf('SELECT 1 AS "A", 2 AS "b""; DROP", 3 AS idx, 4 AS c0, 5 AS v')
    const ask = await given([{ files: [file] }])
    expect(
      ids(await ask('filter', { where: '"A" = 1 and "b""; DROP" = 2 and idx = 3 and c0 = 4 and V = 5' })),
    ).toEqual([0])
    expect(ids(await ask('filter', { where: 'idx = 0' }))).toEqual([])
  })
})
