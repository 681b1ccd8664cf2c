import { EMPTY_TREE, type Oid } from './oid.ts'
import { compareNames, MODE, Tree, type TreeEntry } from './tree.ts'
import type { LoadTree } from './tree-walk.ts'

/** One difference between two trees. A folder that changes is listed as well as what changes in it. */
export interface TreeChange {
  /** Path of the folder it lies in; the root is empty. */
  dir: string
  name: string
  kind: 'A' | 'M' | 'D'
  isFolder: boolean
  old?: TreeEntry
  new?: TreeEntry
}

/** Differences in git's order, without looking into folders that are equal. An entry that turns from file to folder is a D and an A. */
export async function* diffTrees(
  load: LoadTree,
  before: Oid,
  after: Oid,
  dir = '',
): AsyncGenerator<TreeChange> {
  if (before.equals(after)) return
  const old = before.equals(EMPTY_TREE) ? Tree.empty : await load(before)
  const now = after.equals(EMPTY_TREE) ? Tree.empty : await load(after)
  for (const [gone, come] of pairs(old, now)) {
    const isFolder = (come ?? gone)?.mode === MODE.tree
    const name = (come ?? gone)?.name ?? ''
    const kind = gone && come ? 'M' : come ? 'A' : 'D'
    yield { dir, name, kind, isFolder, ...(gone && { old: gone }), ...(come && { new: come }) }
    if (isFolder) {
      const path = dir === '' ? name : `${dir}/${name}`
      yield* diffTrees(load, gone?.oid ?? EMPTY_TREE, come?.oid ?? EMPTY_TREE, path)
    }
  }
}

function* pairs(old: Tree, now: Tree): Generator<[TreeEntry | undefined, TreeEntry | undefined]> {
  let i = commonPrefix(old, now)
  let j = i
  const suffix = commonSuffix(old, now, i)
  const iEnd = old.length - suffix
  const jEnd = now.length - suffix
  while (i < iEnd || j < jEnd) {
    const order = i >= iEnd ? 1 : j >= jEnd ? -1 : compareEntries(old, i, now, j)
    if (order < 0) yield [old.entry(i++), undefined]
    else if (order > 0) yield [undefined, now.entry(j++)]
    else {
      const gone = old.entry(i++)
      const come = now.entry(j++)
      if (gone.mode !== come.mode || !gone.oid.equals(come.oid)) yield [gone, come]
    }
  }
}

function compareEntries(old: Tree, i: number, now: Tree, j: number): number {
  return compareNames(
    old.nameBytes(i),
    old.mode(i) === MODE.tree,
    now.nameBytes(j),
    now.mode(j) === MODE.tree,
  )
}

/** Number of leading entries that are byte-equal, found by halving: a one-file change in 10 000 costs 14 comparisons. */
function commonPrefix(old: Tree, now: Tree): number {
  let low = 0
  let high = Math.min(old.length, now.length)
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    const end = old.startOf(middle)
    const isEqual = end === now.startOf(middle) && old.bytes.compare(now.bytes, 0, end, 0, end) === 0
    if (isEqual) low = middle
    else high = middle - 1
  }
  return low
}

function commonSuffix(old: Tree, now: Tree, prefix: number): number {
  let low = 0
  let high = Math.min(old.length, now.length) - prefix
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    const from = old.startOf(old.length - middle)
    const nowFrom = now.startOf(now.length - middle)
    const isEqual =
      old.bytes.length - from === now.bytes.length - nowFrom &&
      old.bytes.compare(now.bytes, nowFrom, now.bytes.length, from, old.bytes.length) === 0
    if (isEqual) low = middle
    else high = middle - 1
  }
  return low
}
