import type { ViewerPage, ViewerRow } from '../../../shared/viewer.ts'
import { stringifyExact } from '../../lib/exact-json.ts'
import { saveText } from '../../lib/save-text.ts'
import { wholeText } from '../../ui/grid/cell-text.ts'
import { valueAt } from '../../ui/grid/row-values.ts'
import { blockRows } from '../../ui/grid/use-blocks.ts'

/** Rows that the page itself writes into a file; more are in the Parquet files. */
export const maxDownloadRows = 10_000

export type FileFormat = 'csv' | 'jsonl'

const quoteField = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** Rows as the text of a file; CSV as RFC 4180 writes it, with a head. */
export function fileText(format: FileFormat, columns: string[], rows: ViewerRow[]): string {
  if (format === 'jsonl')
    return rows
      .map(
        (row) =>
          `${stringifyExact(Object.fromEntries(columns.map((name) => [name, valueAt(row, name) ?? null])))}\n`,
      )
      .join('')
  const line = (fields: string[]) => `${fields.map(quoteField).join(',')}\r\n`
  return (
    line(columns) + rows.map((row) => line(columns.map((name) => wholeText(valueAt(row, name))))).join('')
  )
}

/** Reads rows from `from` on, `count` at most, page by page. */
export async function collectRows(
  read: (offset: number, signal: AbortSignal) => Promise<ViewerPage>,
  { from, count }: { from: number; count: number },
  onProgress: (done: number) => void,
  signal: AbortSignal,
): Promise<ViewerRow[]> {
  const rows: ViewerRow[] = []
  while (rows.length < count) {
    const page = await read(from + rows.length, signal)
    if (page.rows.length === 0) break
    rows.push(...page.rows)
    onProgress(Math.min(rows.length, count))
    if (page.rows.length < blockRows) break
  }
  return rows.slice(0, count)
}

const mediaTypes = { csv: 'text/csv;charset=utf-8', jsonl: 'application/x-ndjson;charset=utf-8' }

/** Has the browser save rows as a file of a format. */
export function saveFile(name: string, format: FileFormat, text: string): void {
  saveText(`${name}.${format}`, mediaTypes[format], text)
}
