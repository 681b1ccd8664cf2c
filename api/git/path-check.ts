import { validatePath, type NameFault } from './names.ts'
import { EMPTY_TREE, oidFromHex } from './oid.ts'
import type { Snapshot } from './snapshot.ts'
import { diffTrees } from './tree-diff.ts'

// Bytes that are no UTF-8 read as this character.
const notUtf8: NameFault = { code: 'path-not-utf8', message: 'must be valid Unicode' }

/** The first path among those a commit adds to another's (to nothing, without one) that could not be addressed here. */
export async function findBadPath(
  { reader }: Snapshot,
  sha: string,
  since: string | undefined,
): Promise<{ path: string; fault: NameFault } | undefined> {
  const treeOf = async (commit: string | undefined) =>
    (commit === undefined ? undefined : await reader.findCommit(oidFromHex(commit)))?.tree ?? EMPTY_TREE
  for await (const change of diffTrees(reader.loadTree, await treeOf(since), await treeOf(sha))) {
    if (change.kind !== 'A' || change.isFolder) continue
    const path = change.dir === '' ? change.name : `${change.dir}/${change.name}`
    const fault = path.includes('\ufffd') ? notUtf8 : validatePath(path)
    if (fault) return { path, fault }
  }
  return undefined
}
