// The figures of docs/soak.md: each section stands behind a mark of its own and is written by the run it is of.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../api/dev/run.mjs'

const file = join(root, 'docs', 'soak.md')

/** When and on what figures were made. */
export const madeOn = () => `${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}`

/** Puts `lines` in place of what stands behind the mark `<!-- name -->`, up to the next mark or the end. */
export function writeSection(name, lines) {
  writeFileSync(file, withSection(readFileSync(file, 'utf8'), name, lines))
}

/** As `writeSection`, for one row of a table, which is known by its first cell. */
export function writeRow(name, head, cells) {
  const text = readFileSync(file, 'utf8')
  const kept = sectionOf(text, name).filter((line) => line.startsWith('|') && cellsOf(line)[0] !== cells[0])
  const rows = [...kept.slice(2), rowOf(cells)].toSorted()
  writeFileSync(file, withSection(text, name, [rowOf(head), rowOf(head.map(() => '---')), ...rows]))
}

const rowOf = (cells) => `| ${cells.join(' | ')} |`
const cellsOf = (line) =>
  line
    .split('|')
    .map((cell) => cell.trim())
    .slice(1, -1)

function sectionOf(text, name) {
  const [, after = ''] = text.split(markOf(name))
  return after.split('<!--')[0].trim().split('\n')
}

function withSection(text, name, lines) {
  const mark = markOf(name)
  if (!text.includes(mark)) throw new Error(`docs/soak.md has no mark ${mark}`)
  const [before, after] = text.split(mark)
  const next = after.indexOf('<!--')
  const rest = next === -1 ? '' : `\n${after.slice(next)}`
  return `${before}${mark}\n\n${lines.join('\n')}\n${rest}`
}

const markOf = (name) => `<!-- figures: ${name} -->`
