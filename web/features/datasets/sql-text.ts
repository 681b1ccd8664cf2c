import { stringifyExact } from '../../lib/exact-json.ts'
import type { FileFormat } from './download.ts'
import type { SqlAnswer } from './queries.ts'

/** A cell as text; nothing for NULL. */
export function cellText(cell: unknown): string {
  if (cell === null || cell === undefined) return ''
  return typeof cell === 'string' ? cell : stringifyExact(cell)
}

const quoteField = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** The rows of a query as the text of a file. In JSON Lines a column that comes twice has a number behind its name. */
export function resultText(format: FileFormat, { columns, rows }: SqlAnswer): string {
  if (format === 'csv') {
    const line = (fields: string[]) => `${fields.map(quoteField).join(',')}\r\n`
    return line(columns.map(({ name }) => name)) + rows.map((row) => line(row.map(cellText))).join('')
  }
  const names = uniqueNames(columns.map(({ name }) => name))
  return rows
    .map((row) => `${stringifyExact(Object.fromEntries(names.map((name, i) => [name, row[i] ?? null])))}\n`)
    .join('')
}

function uniqueNames(names: readonly string[]): string[] {
  const taken = new Set<string>()
  return names.map((name) => {
    let free = name
    for (let n = 1; taken.has(free); n++) free = `${name}_${n}`
    taken.add(free)
    return free
  })
}
