import type { CommitBuilder } from './commit-builder.ts'
import { NewTrees } from './objects/new-trees.ts'
import { serializeCommit, type Person } from './objects/objects.ts'
import { EMPTY_TREE, oidFromHex } from './objects/oid.ts'
import { editTree, type EditFault } from './objects/tree-edit.ts'
import type { Spooled } from './runner/spool.ts'
import type { Snapshot } from './snapshot.ts'

/** A commit that is made of files alone. Oids are 40-hex. */
export interface CommitOfFiles {
  parents: string[]
  author: Person
  message: string
}

/**
 * Makes a commit whose files are exactly those put into the builder, as a pack that has not landed. The pack's bytes are
 * there until the builder is disposed of.
 */
export async function packCommit(
  snapshot: Snapshot,
  builder: CommitBuilder,
  { parents, author, message }: CommitOfFiles,
): Promise<{ commit: string; pack: Spooled } | { faults: EditFault[] }> {
  const trees = new NewTrees(snapshot.reader, builder.writer)
  const edited = await editTree(EMPTY_TREE, builder.edits, trees)
  if ('faults' in edited) return edited
  const made = { tree: edited.tree, parents: parents.map(oidFromHex), author, committer: author, message }
  const oid = await builder.writer.add('commit', serializeCommit(made))
  const { open, sizeBytes } = await builder.writer.finish()
  return { commit: oid.toString('hex'), pack: { open, sizeBytes, dispose: () => builder.dispose() } }
}
