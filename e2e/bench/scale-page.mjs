// The table of docs/scale.md: a row for each cost, a column for each size; columns of other sizes stay.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { mib } from './measure.mjs'
import { amounts } from './scale-fill.mjs'

const page = fileURLToPath(new URL('../../docs/scale.md', import.meta.url))
const mark = '<!-- table -->'
const inBytes = ['database', 'memory']

const thousands = (n) => String(Math.round(n)).replaceAll(/\B(?=(\d{3})+$)/g, ' ')

function shown(name, figure) {
  if (inBytes.includes(name)) return mib(figure)
  return figure < 1 ? `${(figure * 1000).toFixed(0)} ms` : `${figure.toFixed(1)} s`
}

/** Such as `10 000 repos`: the others grow with them, see the page. */
const columnOf = (share) => `${thousands(amounts(share).repos)} repos`
const sizeOf = (column) => Number(column.replaceAll(/\D/g, ''))
const cellsOf = (line) =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())
const lineOf = (cells) => `| ${cells.join(' | ')} |`

/** `figures` are [name, figure] of one size. */
export function writeColumn(share, figures) {
  const [before, old = ''] = readFileSync(page, 'utf8').split(mark)
  const [head = ['Cost'], , ...rows] = old
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map(cellsOf)
  const table = new Map(
    rows.map(([name, ...cells]) => [name, new Map(cells.map((cell, i) => [head[i + 1], cell]))]),
  )
  const column = columnOf(share)
  for (const [name, figure] of figures)
    table.set(name, (table.get(name) ?? new Map()).set(column, shown(name, figure)))
  const columns = [...new Set([...head.slice(1), column])].toSorted((a, b) => sizeOf(a) - sizeOf(b))
  const lines = [
    ['Cost', ...columns],
    ['---', ...columns.map(() => '---')],
    ...[...table].map(([name, cells]) => [name, ...columns.map((each) => cells.get(each) ?? '')]),
  ]
  writeFileSync(page, `${before}${mark}\n\n${lines.map(lineOf).join('\n')}\n`)
}
