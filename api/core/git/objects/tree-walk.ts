import { Turns, type Caller } from '../../../platform/flow/index.ts'
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

export interface WalkOptions {
  /** Put before the paths. */
  prefix?: string
  /** A path of the walk, prefix included: it starts behind that entry. */
  after?: string
}

/** Every entry below `root`, folders before what they hold, in git's order. */
export async function* walkTree(
  load: LoadTree,
  root: Oid,
  { prefix = '', after, caller }: WalkOptions & { caller?: Caller } = {},
): AsyncGenerator<WalkedEntry> {
  const turns = new Turns(caller)
  const open = await openAt(load, root, prefix, after)
  for (let top = open.at(-1); top; top = open.at(-1)) {
    if (turns.isOver) await turns.next()
    if (top.at === top.tree.length) {
      open.pop()
      continue
    }
    const entry = top.tree.entry(top.at++)
    const path = `${top.inside}${entry.name}`
    yield { ...entry, path }
    if (entry.mode === MODE.tree) open.push({ tree: await load(entry.oid), inside: `${path}/`, at: 0 })
  }
}

/** A folder of the walk, and the entry that comes next. */
interface OpenFolder {
  tree: Tree
  /** Its path with a slash behind it; empty for the root. */
  inside: string
  at: number
}

/** The folders from `root` to where the walk starts. */
async function openAt(
  load: LoadTree,
  root: Oid,
  prefix: string,
  after: string | undefined,
): Promise<OpenFolder[]> {
  let folder: OpenFolder = { tree: await load(root), inside: prefix === '' ? '' : `${prefix}/`, at: 0 }
  const open = [folder]
  let rest = after?.startsWith(folder.inside) ? after.slice(folder.inside.length) : ''
  while (rest !== '') {
    const slash = rest.indexOf('/')
    const name = slash < 0 ? rest : rest.slice(0, slash)
    folder.at = resumeAt(folder.tree, rest)
    const first = folder.at < folder.tree.length ? folder.tree.entry(folder.at) : undefined
    if (first?.name !== name) break
    folder.at++
    if (first.mode !== MODE.tree) break
    rest = slash < 0 ? '' : rest.slice(slash + 1)
    folder = { tree: await load(first.oid), inside: `${folder.inside}${name}/`, at: 0 }
    open.push(folder)
  }
  return open
}

/** Where the walk continues behind `rest`: at the entry of its first name, or at what would follow it. */
function resumeAt(tree: Tree, rest: string): number {
  const name = rest.split('/', 1)[0] ?? ''
  return tree.indexOf(name) ?? tree.position(Buffer.from(name, 'utf8'), rest.includes('/'))
}
