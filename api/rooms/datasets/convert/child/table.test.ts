import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { csvNulls } from '../../infer/csv-type.ts'
import { openDuck, type Duck } from './duck.ts'
import { list } from '../../sql-text.ts'
import type { TableTask } from './messages.ts'
import { convertTable } from './table.ts'

let dir = ''
let duck: Duck
const setup = () => ({ folder: dir, memoryMb: 512, maxGroupRows: 10_240 })

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'arsenal-table-'))
  duck = await openDuck(setup())
})
afterAll(async () => {
  duck.close()
  await rm(dir, { recursive: true })
})

const ROWS = 60_000
/** Long enough for files above the size from which several threads read them. */
const padding = 'x'.repeat(600)

/** Converts CSV files; answers their rows. */
const converted = (name: string, ...contents: string[][]) => convertedBy({}, name, ...contents)

async function convertedBy(
  options: TableTask['options'],
  name: string,
  ...contents: string[][]
): Promise<unknown[][]> {
  const folder = join(dir, name)
  await mkdir(folder)
  const sources = contents.map((_, i) => ({ name: `${i}.csv`, path: join(folder, `${i}.csv`) }))
  for (const [i, { path }] of sources.entries()) await writeFile(path, contents[i]?.join('\n') ?? '')
  const task: TableTask = {
    kind: 'table',
    builder: 'csv',
    options,
    files: sources,
    isGiven: false,
    folder,
    maxBytes: 1e9,
    maxCellBytes: 1000,
  }
  const { files } = await convertTable(duck.connection, setup(), task, () => undefined)
  const reader = await duck.connection.runAndReadAll(
    `SELECT id, text, last FROM read_parquet(${list(files.map((file) => file.path))}, file_row_number = true)`,
  )
  return reader.getRowsJS()
}

const wordOf = (i: number) => csvNulls[i % (2 * csvNulls.length)]
const quoted = (i: number, text: string) => (i % 3 ? text : `"${text}"`)
const line = (i: number, text: string) => `${i},${text},${padding}`
const cases: [string, (i: number) => string, (i: number) => string | null][] = [
  ['plain text', (i) => line(i, `text ${i}`), (i) => `text ${i}`],
  ['quotes with separators and quotes', (i) => line(i, `"a, ""${i}"" b"`), (i) => `a, "${i}" b`],
  ['quotes inside of plain text', (i) => line(i, `5" ${i}`), (i) => `5" ${i}`],
  [
    'one line break in quotes at the end',
    (i) => line(i, i === ROWS - 1 ? '"a\nb"' : 'a'),
    (i) => (i === ROWS - 1 ? 'a\nb' : 'a'),
  ],
  [
    'each word for no value in text, in quotes and without',
    (i) => line(i, quoted(i, wordOf(i) ?? 'Null')),
    (i) => (wordOf(i) === undefined ? 'Null' : null),
  ],
  ['values that are missing', (i) => line(i, i % 3 ? `${i}t` : ''), (i) => (i % 3 ? `${i}t` : null)],
]

test.each(cases)('a large CSV file with %s keeps its rows and their order', async (name, write, text) => {
  const lines = Array.from({ length: ROWS }, (_, i) => write(i))
  const rows = await converted(name, ['id,text,last', ...lines, ''])
  expect(rows).toHaveLength(ROWS)
  const wrong = rows.findIndex(
    ([id, found, last], i) => id !== BigInt(i) || found !== text(i) || last !== padding,
  )
  expect([wrong, rows[wrong]]).toEqual([-1, undefined])
})

test('words for no value are none in the numbers of a large CSV file, long after its first rows', async () => {
  const words = csvNulls.filter((word) => word !== '')
  const rowOf = (i: number) => 20_000 + 1000 * i
  const lines = Array.from({ length: ROWS }, (_, i) => `${i},${i}.5,${padding}`)
  for (const [i, word] of words.entries())
    lines[rowOf(i)] = `${quoted(i, word)},${quoted(i, word)},${padding}`
  // To pandas this is text, and to DuckDB a number.
  lines[50_000] = `50000,NAN,${padding}`
  const rows = await converted('words', ['id,text,last', ...lines, ''])
  expect(rows).toHaveLength(ROWS)
  for (const i of words.keys()) expect(rows[rowOf(i)]).toEqual([null, null, padding])
  expect(rows[50_000]).toEqual([50_000n, NaN, padding])
  expect(rows.filter(([id, number]) => id === null || number === null)).toHaveLength(words.length)
})

test('a word for no value among truth values of a large CSV file is none', async () => {
  const lines = Array.from({ length: ROWS }, (_, i) => `${i},${i % 2 ? 'True' : 'false'},${padding}`)
  lines[ROWS - 1] = `${ROWS - 1},<NA>,${padding}`
  const rows = await converted('truths', ['id,text,last', ...lines, ''])
  expect(rows).toHaveLength(ROWS)
  expect(rows.slice(-3).map(([, truth]) => truth)).toEqual([true, false, null])
})

test('a large CSV file with rows that end early has no value there', async () => {
  const lines = Array.from({ length: ROWS }, (_, i) => (i % 1000 === 7 ? `${i},short` : line(i, 'long')))
  const rows = await converted('short', ['id,text,last', ...lines, ''])
  expect(rows).toHaveLength(ROWS)
  expect(rows[23_007]).toEqual([23_007n, 'short', null])
  expect(rows.filter(([, , last]) => last === null)).toHaveLength(ROWS / 1000)
})

test('large CSV files with columns in another order are one table', async () => {
  const half = Array.from({ length: ROWS / 2 }, (_, i) => i)
  const rows = await converted(
    'two',
    ['id,text,last', ...half.map((i) => line(i, 'a')), ''],
    ['last,id,text', ...half.map((i) => `${padding},${ROWS / 2 + i},b`), ''],
  )
  expect(rows).toHaveLength(ROWS)
  const wrong = rows.findIndex(([id, text], i) => id !== BigInt(i) || text !== (i < ROWS / 2 ? 'a' : 'b'))
  expect([wrong, rows[wrong]]).toEqual([-1, undefined])
})

test('a large CSV file with signs between thousands, comments and lines above the header is read as a small one', async () => {
  const numbers = new Intl.NumberFormat('en')
  const lines = Array.from({ length: ROWS }, (_, i) =>
    i % 1000 === 3 ? `# no row ${i}` : `"${numbers.format(i)}","#${i}",${padding}# no field`,
  )
  const options = { skiprows: 2, thousands: ',', comment: '#' }
  const rows = await convertedBy(options, 'signs', [
    'made by "hand',
    '',
    '"',
    '',
    'id,text,last',
    ...lines,
    '',
  ])
  const wanted = Array.from({ length: ROWS }, (_, i) => i).filter((i) => i % 1000 !== 3)
  expect(rows).toHaveLength(wanted.length)
  const wrong = rows.findIndex(
    ([id, text, last], i) => id !== BigInt(wanted[i] ?? -1) || text !== `#${wanted[i]}` || last !== padding,
  )
  expect([wrong, rows[wrong]]).toEqual([-1, undefined])
})
