import {
  tableFromArrays,
  tableToIPC,
  vectorFromArray,
  Float64,
  Int64,
  List,
  Field,
  Table,
  TimestampMicrosecond,
  Dictionary,
  Utf8,
  Int32,
} from 'apache-arrow'
import { expect, test } from 'vitest'
import { contentOf } from '../../../../core/lfs/testing.ts'
import { fromChunks } from '../../../../stores/storage/index.ts'
import { appOf, eachDatabase, givenRepo, givenToken, givenUser } from '../../../../testing.ts'
import { givenCommit } from '../../../content/testing.ts'
import { storeObject } from '../../../uploads/receive/store-object.ts'
import { mountFileRows } from '../handlers.ts'
import { parquetOf } from '../testing.ts'
import { arrowRows } from './arrow.ts'

interface Rows {
  features: { name: string; type: unknown }[]
  rows: { row_idx: number; row: Record<string, unknown>; truncated_cells: string[] }[]
  truncated: boolean
  num_rows?: number
}

eachDatabase('rows of data files', (world) => {
  let made = 0
  async function given(path: string, content: Buffer | string) {
    const owner = await givenUser(world, `owner${++made}`)
    const repo = await givenRepo(world, owner)
    if (content.length <= world.ctx().config.git.max_blob_size)
      await givenCommit(world, owner, repo, [{ op: 'add', path, content: Buffer.from(content) }])
    else {
      const { bytes, sha256, sizeBytes } = contentOf(Buffer.from(content))
      const object = { sha256, sizeBytes }
      await storeObject(world.ctx(owner), { repoId: repo.id, userId: owner.id }, object, fromChunks(bytes))
      await givenCommit(world, owner, repo, [{ op: 'add-lfs', path, ...object }])
    }
    const { secret } = await givenToken(world, owner)
    const app = appOf(world, { native: [mountFileRows] })
    return async (more = '') => {
      const address = `/api/service/v1/repos/models/${repo.ns}/${repo.name}/files/main/${encodeURIComponent(path)}/rows${more}`
      const answer = await app.request(address, { headers: { Authorization: `Bearer ${secret}` } })
      const text = await answer.text()
      return {
        status: answer.status,
        text,
        body: JSON.parse(text) as Rows & { code?: string; detail?: string },
      }
    }
  }
  const dtypes = ({ features }: Rows) =>
    Object.fromEntries(features.map(({ name, type }) => [name, (type as { dtype?: string }).dtype]))

  test('of CSV are typed as pandas does', async () => {
    const ask = await given(
      'data/x.csv',
      '\ufeffid,score,ok,name,day,gap\r\n1,1.5,true,"a ""b"", c",2020-01-01,\r\n9007199254740993,,FALSE,"two\nlines",2020-01-02,NA\r\n',
    )
    const { text, body } = await ask()
    expect(dtypes(body)).toEqual({
      id: 'int64',
      score: 'float64',
      ok: 'bool',
      name: 'string',
      day: 'string',
      gap: 'float64',
    })
    expect(text).toContain('"id":9007199254740993,"score":null,"ok":false,"name":"two\\nlines"')
    expect(body.rows[0]?.row).toEqual({
      id: 1,
      score: 1.5,
      ok: true,
      name: 'a "b", c',
      day: '2020-01-01',
      gap: null,
    })
    expect([body.truncated, body.num_rows]).toEqual([false, 2])
    expect((await ask('?offset=1&length=1')).body).toMatchObject({ rows: [{ row_idx: 1 }], truncated: false })
    expect((await ask('?length=1')).body).toMatchObject({ rows: [{ row_idx: 0 }], truncated: true })
  })

  test('of TSV, and of text with other delimiters', async () => {
    expect((await (await given('x.tsv', 'a\tb,c\n1\t2,3\n'))()).body.rows[0]?.row).toEqual({
      a: 1,
      'b,c': '2,3',
    })
    expect((await (await given('x.csv', 'a;b\n1;2\n'))()).body.rows[0]?.row).toEqual({ a: 1, b: 2 })
  })

  test('of a long file are those in its beginning', async () => {
    const line = `${'x'.repeat(99)}\n`
    const { body } = await (await given('x.csv', `head\n${line.repeat(20_000)}`))('?offset=10000')
    expect(body.truncated).toBe(true)
    expect(body.num_rows).toBeUndefined()
    expect(body.rows[0]).toMatchObject({ row_idx: 10_000, row: { head: 'x'.repeat(99) } })
  })

  test('of JSONL keep the digits of long integers', async () => {
    const ask = await given(
      'x.jsonl',
      '{"id": 9007199254740993, "t": "a\\"}", "o": {"k": [1, {"z": 12345678901234567890}]}}\n\n{"id": 2, "more": null, "t": "b"}\n',
    )
    const { text, body } = await ask()
    expect(text).toContain(
      '{"id":9007199254740993,"t":"a\\"}","o":{"k": [1, {"z": 12345678901234567890}]},"more":null}',
    )
    expect(dtypes(body)).toEqual({ id: 'int64', t: 'string', o: undefined, more: 'null' })
    expect(body.rows[1]?.row).toEqual({ id: 2, t: 'b', o: null, more: null })
    const { status, body: refused } = await (await given('x.jsonl', '{"a": 1}\nnot JSON\n'))()
    expect([status, refused.detail]).toEqual([400, 'Line 2 is not JSON.'])
  })

  test('of Parquet are any rows', async () => {
    const ask = await given(
      'x.parquet',
      await parquetOf(`SELECT range AS id, [range] AS list FROM range(10000)`),
    )
    const { body } = await ask('?offset=9999')
    expect(body).toMatchObject({
      rows: [{ row_idx: 9999, row: { id: 9999, list: [9999] } }],
      num_rows: 10_000,
      truncated: false,
    })
  })

  test.each(['file', 'stream'] as const)('of Arrow as a %s', async (form) => {
    const table = new Table({
      id: vectorFromArray([1n, 9007199254740993n, null], new Int64()),
      word: vectorFromArray(['a', 'b', 'a'], new Dictionary(new Utf8(), new Int32())),
      list: vectorFromArray([[1.5], [], null], new List(new Field('item', new Float64()))),
      at: vectorFromArray([0, 1, 2], new TimestampMicrosecond()),
    })
    const { text, body } = await (await given('x.arrow', Buffer.from(tableToIPC(table, form))))()
    expect(text).toContain(
      '"row":{"id":9007199254740993,"word":"b","list":[],"at":"1970-01-01T00:00:00.001000"}',
    )
    expect(dtypes(body)).toMatchObject({ id: 'int64', word: 'string', at: 'timestamp[us]' })
    expect([body.num_rows, body.truncated]).toEqual([3, false])
  })

  test('of a long Arrow file are those of its first batches', async () => {
    const batch = (from: number) =>
      tableFromArrays({ x: Float64Array.from({ length: 1000 }, (_, i) => from + i) })
    const bytes = tableToIPC(batch(0).concat(batch(1000), batch(2000)), 'stream')
    const wanted = { offset: 999, length: 5000, cellBytes: 100 }
    const found = arrowRows(bytes.subarray(0, 20_000), wanted, false)
    expect([found.rows.length, found.rows[1]?.cells, found.truncated]).toEqual([1001, [['1000']], true])
    expect(() => arrowRows(bytes.subarray(0, 5000), wanted, false)).toThrow('too large to be shown')
  })

  test('of an Arrow file above 16 MiB whose schema is in its footer alone are those of its first batches', async () => {
    const batch = (from: number) =>
      tableFromArrays({ x: Float64Array.from({ length: 800_000 }, (_, i) => from + i) })
    // The library writes no schema before the batches of a file.
    const bytes = Buffer.from(tableToIPC(batch(0).concat(batch(800_000), batch(1_600_000)), 'file'))
    expect(bytes.length).toBeGreaterThan(16 * 1024 * 1024)
    expect(() =>
      arrowRows(bytes.subarray(0, 1024 * 1024), { offset: 0, length: 1, cellBytes: 9 }, false),
    ).toThrow()
    const { status, body } = await (await given('x.arrow', bytes))('?offset=1599999&length=5')
    expect([status, dtypes(body)]).toEqual([200, { x: 'float64' }])
    expect(body.rows.map(({ row_idx, row }) => [row_idx, row])).toEqual([[1_599_999, { x: 1_599_999 }]])
    expect([body.truncated, body.num_rows]).toEqual([true, undefined])
  })

  test('of other files are refused with a reason', async () => {
    expect((await (await given('x.bin', 'abc'))()).body).toMatchObject({ code: 'invalid-request' })
    expect((await (await given('x.parquet', 'abc'))()).body).toMatchObject({
      code: 'invalid-request',
      detail: 'The file is too short for a Parquet file.',
    })
    expect((await (await given('x.arrow', 'ARROW1\0\0nonsense'))()).status).toBe(400)
    expect((await (await given('x.csv', ''))()).body).toMatchObject({ features: [], rows: [], num_rows: 0 })
  })
})
