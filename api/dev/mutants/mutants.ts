import { createHash } from 'node:crypto'
import { rules } from './faults.ts'
import { isFunction, nodesOf, placeOf } from './tree.ts'

/** One fault of one file. */
export interface Mutant {
  /** The same for the same fault in the same statement, whatever changes elsewhere in the file. */
  id: string
  file: string
  line: number
  kind: string
  /** What stood there, and what stands there now. */
  original: string
  text: string
  start: number
  end: number
  /** The innermost function around it; undefined at the file's top. */
  place: string | undefined
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** Every fault that can be made in a file, in order. */
export function mutantsOf(file: string, source: string): Mutant[] {
  const starts = lineStarts(source)
  const seen = new Map<string, number>()
  const found: Mutant[] = []
  for (const { node, above } of nodesOf(file, source)) {
    const around = above.findLast(isFunction)
    const place = around && placeOf(file, around, source)
    for (const rule of rules)
      for (const { kind, start, end, text } of rule(node, above, source)) {
        const line = starts.findLastIndex((at) => at <= start)
        const words = source.slice(starts[line], starts[line + 1]).trim()
        const original = source.slice(start, end)
        const key = [file, kind, words, original, text].join('\0')
        const nth = seen.get(key) ?? 0
        seen.set(key, nth + 1)
        const id = sha256(`${key}\0${nth}`).slice(0, 12)
        found.push({
          id,
          file,
          line: line + 1,
          kind,
          original,
          text,
          start,
          end,
          place,
        })
      }
  }
  return found
}

function lineStarts(source: string): number[] {
  const starts = [0]
  for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

/** The file with the fault in it. */
export const mutated = (source: string, { start, end, text }: Mutant): string =>
  source.slice(0, start) + text + source.slice(end)

/**
 * `count` of them, drawn by a seed. Each has its lot by itself, so that a change of some code leaves the draw of the rest
 * as it was, and most results of an earlier run can be used.
 */
export function drawn(mutants: Mutant[], count: number, seed: string): Mutant[] {
  const lots = mutants.map((mutant) => ({ mutant, lot: sha256(`${seed}\0${mutant.id}`) }))
  return lots
    .sort((a, b) => (a.lot < b.lot ? -1 : 1))
    .slice(0, count)
    .map(({ mutant }) => mutant)
}
