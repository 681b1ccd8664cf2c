import { expect, test } from 'vitest'
import type { ViewerPage, ViewerRow } from '../../../shared/viewer.ts'
import { collectRows, fileText } from './download.ts'

const row = (row_idx: number, cells: Record<string, unknown>): ViewerRow => ({
  row_idx,
  row: cells,
  truncated_cells: [],
})

test('CSV has a head, quotes what needs quotes, and keeps all digits', () => {
  const rows = [
    row(0, { id: 9007199254740993n, text: 'a "b",\nc', list: [1n, 'x'] }),
    row(1, { id: null, text: '' }),
  ]
  expect(fileText('csv', ['id', 'text', 'list'], rows)).toBe(
    'id,text,list\r\n9007199254740993,"a ""b"",\nc","[1,""x""]"\r\n,,\r\n',
  )
})

test('JSONL has one row a line, with all columns and all digits', () => {
  expect(fileText('jsonl', ['id', 'none'], [row(0, { id: 9007199254740993n })])).toBe(
    '{"id":9007199254740993,"none":null}\n',
  )
})

const pages =
  (total: number) =>
  async (offset: number): Promise<ViewerPage> => ({
    features: [],
    rows: Array.from({ length: Math.max(0, Math.min(100, total - offset)) }, (_, i) => row(offset + i, {})),
    num_rows_total: total,
    num_rows_per_page: 100,
    partial: false,
  })

test('rows are collected page by page, up to the end or to what was asked for', async () => {
  const seen: number[] = []
  const { signal } = new AbortController()
  const all = await collectRows(pages(250), { from: 0, count: 1000 }, (done) => seen.push(done), signal)
  expect(all.map(({ row_idx }) => row_idx)).toEqual(Array.from({ length: 250 }, (_, i) => i))
  expect(seen).toEqual([100, 200, 250])
  const some = await collectRows(pages(250), { from: 100, count: 100 }, () => {}, signal)
  expect(some.map(({ row_idx }) => row_idx)).toEqual(Array.from({ length: 100 }, (_, i) => 100 + i))
})
