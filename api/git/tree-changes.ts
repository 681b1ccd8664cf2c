import { diffTrees, type TreeChange } from './objects/tree-diff.ts'
import { oidFromHex, type Oid } from './objects/oid.ts'
import type { Snapshot } from './snapshot.ts'

/** What changes from the files of one commit of the Repo to those of another. */
export async function changesBetween({ reader }: Snapshot, from: string, to: string): Promise<TreeChange[]> {
  const treeOf = async (sha: string): Promise<Oid> => {
    const commit = await reader.findCommit(oidFromHex(sha))
    if (!commit) throw new Error(`the commit ${sha} has gone`)
    return commit.tree
  }
  const changes: TreeChange[] = []
  for await (const change of diffTrees(reader.loadTree, await treeOf(from), await treeOf(to)))
    changes.push(change)
  return changes
}
