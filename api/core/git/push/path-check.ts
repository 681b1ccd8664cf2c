import { findCollision, validatePath, type NameFault } from '../names.ts'
import { EMPTY_TREE, oidFromHex } from '../objects/oid.ts'
import type { Snapshot } from '../snapshot.ts'
import { diffTrees, type TreeChange } from '../objects/tree-diff.ts'
import { entryAt } from '../objects/tree-walk.ts'
import type { Tree } from '../objects/tree.ts'

// Bytes that are no UTF-8 read as this character.
const notUtf8: NameFault = { code: 'path-not-utf8', message: 'must be valid Unicode' }

/** What is to be said of the paths a commit adds. */
export interface PathVerdict {
  /** Those that could not be addressed here, and why; the first ones. */
  bad: { path: string; fault: NameFault }[]
  /** Pairs in one folder that file systems which ignore case, or normalise Unicode, take for the same. */
  collisions: [string, string][]
}

/** Pairs that are reported, and folders looked through for them. */
const MAX_COLLISIONS = 5
const MAX_FOLDERS = 1000

/** Looks at the paths a commit adds to another's (to nothing, without one), until `mostBad` of them are bad. */
export async function judgePaths(
  { reader }: Snapshot,
  sha: string,
  since: string | undefined,
  { mostBad = 1 }: { mostBad?: number } = {},
): Promise<PathVerdict> {
  const treeOf = async (commit: string | undefined) =>
    (commit === undefined ? undefined : await reader.findCommit(oidFromHex(commit)))?.tree ?? EMPTY_TREE
  const root = await treeOf(sha)
  const folders = new Set<string>()
  const enters = unseenFolders()
  const bad: PathVerdict['bad'] = []
  for await (const change of diffTrees(reader.loadTree, await treeOf(since), root, { enters })) {
    if (change.kind !== 'A') continue
    if (folders.size < MAX_FOLDERS) folders.add(change.dir)
    if (change.isFolder) continue
    const path = joined(change.dir, change.name)
    const fault = path.includes('\ufffd') ? notUtf8 : validatePath(path)
    if (fault) bad.push({ path, fault })
    if (bad.length === mostBad) break
  }
  if (bad.length > 0) return { bad, collisions: [] }
  const collisions: [string, string][] = []
  for (const dir of folders) {
    const folder = await entryAt(reader.loadTree, root, dir)
    const pair = folder && findCollision(namesOf(await reader.loadTree(folder.oid)))
    if (pair) collisions.push([joined(dir, pair[0]), joined(dir, pair[1])])
    if (collisions.length === MAX_COLLISIONS) break
  }
  return { bad, collisions }
}

/** A folder is looked through once, and again only where its own path is longer or deeper than before. */
function unseenFolders(): (folder: TreeChange) => boolean {
  const seen = new Map<string, { bytes: number; levels: number }>()
  return ({ dir, name, kind, new: come }) => {
    if (kind === 'M') return true
    if (!come) return false
    const path = joined(dir, name)
    const at = { bytes: Buffer.byteLength(path), levels: path.split('/').length }
    const key = come.oid.toString('latin1')
    const before = seen.get(key)
    if (before && before.bytes >= at.bytes && before.levels >= at.levels) return false
    seen.set(key, at)
    return true
  }
}

const joined = (dir: string, name: string) => (dir === '' ? name : `${dir}/${name}`)

function* namesOf(tree: Tree): Generator<string> {
  for (const { name } of tree.entries()) yield name
}
