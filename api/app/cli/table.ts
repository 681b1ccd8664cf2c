import type { Arguments, Shell } from './command.ts'

/** A heading and what stands below it. */
export type Column<Row> = [heading: string, cell: (row: Row) => string]

/** The flag of commands that list. */
export const jsonOption = { json: { type: 'boolean' } } as const

/** A day and minute in UTC; `-` for never. */
export const date = (at: Date | null): string => (at ? at.toISOString().slice(0, 16).replace('T', ' ') : '-')

/** `1 token`, `2 tokens`. */
export const counted = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? '' : 's'}`

// A name or address may hold what moves the cursor of a terminal.
const plain = (text: string): string => text.replaceAll(/\p{Cc}/gu, '?')

/** Prints pages of rows as an aligned table or, with `--json`, as one JSON array. A page is all that is held. */
export async function printRows<Row>(
  { values }: Arguments,
  { out }: Pick<Shell, 'out'>,
  columns: Column<Row>[],
  pages: AsyncIterable<Row[]>,
): Promise<void> {
  if (values['json'] === true) return printJson(out, pages)
  const headings = columns.map(([heading]) => heading)
  let widths = headings.map(({ length }) => length)
  let isFirst = true
  for await (const page of pages) {
    const rows = page.map((row) => columns.map(([, cell]) => plain(cell(row))))
    // A later page may widen a column, never narrow it.
    widths = widths.map((width, n) => Math.max(width, ...rows.map((row) => row[n]?.length ?? 0)))
    for (const row of isFirst ? [headings, ...rows] : rows)
      out(
        `${row
          .map((cell, n) => cell.padEnd(widths[n] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
      )
    isFirst = false
  }
}

async function printJson<Row>(out: Shell['out'], pages: AsyncIterable<Row[]>): Promise<void> {
  let before = '['
  for await (const page of pages)
    for (const row of page) {
      out(`${before}${JSON.stringify(row)}`)
      before = ',\n'
    }
  out(before === '[' ? '[]\n' : ']\n')
}
