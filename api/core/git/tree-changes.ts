import { diffTrees } from './objects/tree-diff.ts'
import type { ListChanges } from './history/shallowest-changes.ts'
import { oidFromHex, type Oid } from './objects/oid.ts'
import type { Snapshot } from './snapshot.ts'

/** What changes from the files of one commit of the repo to those of another. */
export async function changesBetween({ reader }: Snapshot, from: string, to: string): Promise<ListChanges> {
  const treeOf = async (sha: string): Promise<Oid> => {
    const commit = await reader.findCommit(oidFromHex(sha))
    if (!commit) throw new Error(`the commit ${sha} is missing`)
    return commit.tree
  }
  const [before, after] = [await treeOf(from), await treeOf(to)]
  return (options) => diffTrees(reader.loadTree, before, after, options)
}
