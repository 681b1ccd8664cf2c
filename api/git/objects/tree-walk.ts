import type { Oid } from './oid.ts'
import { MODE, type Tree, type TreeEntry } from './tree.ts'

/** How walks read trees. */
export type LoadTree = (oid: Oid) => Promise<Tree>

/** An entry with its path from the walk's root. */
export interface WalkedEntry extends TreeEntry {
  path: string
}

/** The entry at `path` below `root`; the root itself for the empty path. */
export async function entryAt(load: LoadTree, root: Oid, path: string): Promise<TreeEntry | undefined> {
  let entry: TreeEntry = { mode: MODE.tree, name: '', oid: root }
  if (path === '') return entry
  for (const name of path.split('/')) {
    if (entry.mode !== MODE.tree) return undefined
    const next = (await load(entry.oid)).find(name)
    if (!next) return undefined
    entry = next
  }
  return entry
}

/**
 * Every entry below `root`, folders before what they hold, in git's order. `prefix` is put before the paths; with
 * `after` (such a path) the walk goes on behind that entry.
 */
export async function* walkTree(
  load: LoadTree,
  root: Oid,
  prefix = '',
  after?: string,
): AsyncGenerator<WalkedEntry> {
  const tree = await load(root)
  const inside = prefix === '' ? '' : `${prefix}/`
  const rest = after?.startsWith(inside) ? after.slice(inside.length) : undefined
  let i = rest ? resumeAt(tree, rest) : 0
  if (rest && i < tree.length) {
    const first = tree.entry(i)
    const slash = rest.indexOf('/')
    if (first.name === (slash < 0 ? rest : rest.slice(0, slash))) {
      const path = `${inside}${first.name}`
      if (first.mode === MODE.tree) yield* walkTree(load, first.oid, path, slash < 0 ? undefined : after)
      i++
    }
  }
  for (; i < tree.length; i++) {
    const entry = tree.entry(i)
    const path = `${inside}${entry.name}`
    yield { ...entry, path }
    if (entry.mode === MODE.tree) yield* walkTree(load, entry.oid, path)
  }
}

/** Where to go on behind `rest`: at the entry of its first name, or at what would follow it. */
function resumeAt(tree: Tree, rest: string): number {
  const name = rest.split('/', 1)[0] ?? ''
  return tree.indexOf(name) ?? tree.position(Buffer.from(name, 'utf8'), rest.includes('/'))
}
