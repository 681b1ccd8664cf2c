import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  Field,
  Int32,
  makeData,
  RecordBatch,
  RecordBatchFileWriter,
  RecordBatchStreamWriter,
  Schema,
  Struct,
  tableFromArrays,
  tableToIPC,
  Utf8,
  vectorFromArray,
  type Table,
} from 'apache-arrow'
import { parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { afterEach, expect, test } from 'vitest'
import type { Report, TableTask } from '../messages.ts'
import { convertArrow } from './convert.ts'

const folders: string[] = []
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true })
})

const numbers = (from: number) => Array.from({ length: 100 }, (_, i) => from + i)
const words = numbers(0).map((i) => (i % 3 === 0 ? null : `text ${i}`))

/** Batches of 100 rows each: a number and a text that is null in every third row. */
function numbered(batches: number, form: 'file' | 'stream' = 'stream'): Buffer {
  const writer = form === 'file' ? new RecordBatchFileWriter() : new RecordBatchStreamWriter()
  const schema = new Schema([new Field('n', new Int32()), new Field('s', new Utf8(), true)])
  writer.reset(undefined, schema)
  for (let i = 0; i < batches; i++) {
    const [n, s] = [vectorFromArray(numbers(i * 100), new Int32()), vectorFromArray(words, new Utf8())]
    const children = [n.data[0], s.data[0]].flatMap((data) => data ?? [])
    writer.write(new RecordBatch(schema, makeData({ type: new Struct(schema.fields), children })))
  }
  writer.finish()
  return Buffer.from(writer.toUint8Array(true))
}

async function given(files: Buffer[], more: Partial<TableTask> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'arsenal-arrow-'))
  folders.push(folder)
  const paths = files.map((_, i) => ({ name: `${i}.arrow`, path: join(folder, `${i}`) }))
  for (const [i, { path }] of paths.entries()) await writeFile(path, files[i] ?? '')
  const task: TableTask = {
    kind: 'table',
    folder,
    builder: 'arrow',
    options: {},
    files: paths,
    isGiven: false,
    maxBytes: 1e9,
    maxCellBytes: 1000,
    ...more,
  }
  const reports: Report[] = []
  const setup = { folder, memoryMb: 100, maxGroupRows: 250 }
  const table = await convertArrow(setup, task, (report) => reports.push(report))
  const rows = []
  for (const { path } of table.files) {
    const file = new Uint8Array(await readFile(path)).buffer
    rows.push(...(await parquetReadObjects({ file, compressors })))
  }
  return { table, rows, reports }
}

const ipc = (table: Table) => Buffer.from(tableToIPC(table, 'stream'))

test.each(['file', 'stream'] as const)('all batches of a %s become rows, in their order', async (form) => {
  const { table, rows, reports } = await given([numbered(7, form), numbered(1, form)])
  expect(table).toMatchObject({ isPartial: false, files: [{ rows: 800 }] })
  expect(rows.map(({ n }) => n)).toEqual(Array.from({ length: 800 }, (_, i) => i % 700))
  expect(rows.slice(0, 2)).toEqual([
    { n: 0, s: null },
    { n: 1, s: 'text 1' },
  ])
  expect(reports[0]).toMatchObject({ type: 'preview', preview: { isExact: true } })
})

const long = numbered(50)
const half = long.length / 2

test.each([
  ['a file', numbered(50, 'file')],
  ['a stream', long],
  // Some stores are on another machine, which brings no more than is read.
  ['the beginning of a stream', long.subarray(0, half + 1)],
  ['the beginning of a file', Buffer.concat([Buffer.from('ARROW1\0\0'), long.subarray(0, half)])],
])('%s above the limit is cut at a batch', async (_, bytes) => {
  const { table, rows } = await given([bytes, numbered(1)], { maxBytes: half })
  expect(table.isPartial).toBe(true)
  expect(rows.length % 100).toBe(0)
  expect(rows.length).toBeGreaterThan(1000)
  expect(rows.length).toBeLessThan(5000)
})

test.each([
  ['an end within a batch', numbered(7).subarray(0, -900)],
  ['nothing', Buffer.alloc(0)],
  ['text', Buffer.from('a,b\n1,2\n'.repeat(100))],
  ['a name of the format alone', Buffer.from('ARROW1\0\0nonsense')],
  ['a length beyond the file', Buffer.from(numbered(1)).fill(0x7f, 4, 7)],
])('a file with %s is refused by its name', async (_, bytes) => {
  await expect(given([bytes])).rejects.toThrow('0.arrow')
})

test('files of a config need the same columns', async () => {
  const other = tableFromArrays({ n: Float64Array.of(1.5) })
  await expect(given([numbered(1), ipc(other)])).rejects.toThrow('The column n of 1.arrow has another type')
  const more = tableFromArrays({ x: Int32Array.of(1) })
  await expect(given([numbered(1), ipc(more)])).rejects.toThrow('1.arrow has a column x')
  const { rows } = await given([numbered(1), ipc(tableFromArrays({ n: Int32Array.of(5) }))])
  expect(rows.at(-1)).toEqual({ n: 5, s: null })
})
