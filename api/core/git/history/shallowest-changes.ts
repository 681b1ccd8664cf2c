import type { Caller } from '../../../platform/flow/index.ts'
import type { DiffOptions, TreeChange } from '../objects/tree-diff.ts'

/** A change as the history index holds it. */
export type IndexedChange = Pick<TreeChange, 'dir' | 'name' | 'kind'>

/** Lists what differs between two trees, each time it is called. */
export type ListChanges = (options?: DiffOptions) => AsyncIterable<TreeChange>

/** Rows that one commit takes in the history index: 100 000 are written in about a second (SQLite). */
const MAX_INDEXED_CHANGES = 100_000

/**
 * The changes of one commit for the history index. Of a commit with more than `max` only those of the upper folders, which
 * people look at; for the others the index then names no last commit.
 */
export async function shallowestChanges(
  list: ListChanges,
  { max = MAX_INDEXED_CHANGES, caller }: { max?: number; caller?: Caller } = {},
): Promise<IndexedChange[]> {
  const levels: IndexedChange[][] = []
  let count = 0
  let deepest = Infinity
  const enters = ({ dir }: TreeChange) => levelOf(dir) < deepest
  for await (const { dir, name, kind } of list({ enters, ...(caller && { caller }) })) {
    const level = levelOf(dir)
    if (level > deepest) continue
    ;(levels[level] ??= []).push({ dir, name, kind })
    count++
    // The root's own changes always stay: folders are bounded.
    while (count > max && levels.length > 1) {
      count -= levels.pop()?.length ?? 0
      deepest = levels.length - 1
    }
  }
  return levels.flat()
}

function levelOf(dir: string): number {
  if (dir === '') return 0
  let level = 1
  for (let at = dir.indexOf('/'); at >= 0; at = dir.indexOf('/', at + 1)) level++
  return level
}
