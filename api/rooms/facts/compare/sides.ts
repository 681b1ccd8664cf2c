import { createHash } from 'node:crypto'
import type { Ctx } from '../../../core/ctx.ts'
import { openRevision } from '../../content/index.ts'
import type { Repo } from '../../repos/index.ts'
import { openTensors, type TensorSet } from '../header/tensors.ts'
import type { SizedTensor } from './hash-tensors.ts'
import { isAlike, type Side } from './header-diff.ts'

/** Raise it when a comparison of the same bytes says something else. */
const COMPARISON_VERSION = 1

/** Two tensors of one name, dtype and shape. */
export interface TensorPair {
  old: SizedTensor
  new: SizedTensor
}

/** Two revisions of a file, open to be compared. */
export interface ComparedSides {
  old: Side
  new: Side
  before: TensorSet
  after: TensorSet
  /** Tensors whose bytes can be compared. */
  alike: TensorPair[]
  /** Stands for the contents of both sides. */
  pair: string
}

/** Opens both revisions and pairs their tensors. Problems: those of `openTensors`, `revision-not-found`. */
export async function openSides(
  ctx: Ctx,
  repo: Repo,
  { old, new: now }: { old: Side; new: Side },
): Promise<ComparedSides> {
  const open = async ({ commit, path }: Side) => {
    const revision = await openRevision(ctx, repo.id, commit)
    return { side: { commit: revision.commit, path }, set: await openTensors(ctx, repo, revision, path) }
  }
  const [left, right] = [await open(old), await open(now)]
  return {
    old: left.side,
    new: right.side,
    before: left.set,
    after: right.set,
    alike: pairsOf(left.set, right.set),
    pair: pairOf(left.set, right.set),
  }
}

function pairsOf(before: TensorSet, after: TensorSet): TensorPair[] {
  const old = new Map(before.tensors.map((tensor) => [tensor.name, tensor]))
  return after.tensors.flatMap((tensor) => {
    const was = old.get(tensor.name)
    old.delete(tensor.name)
    if (!was || !isAlike(was, tensor)) return []
    const [oldSize, newSize] = [was.sizeBytes, tensor.sizeBytes]
    if (oldSize === undefined || newSize === undefined || oldSize !== newSize) return []
    return [{ old: { ...was, sizeBytes: oldSize }, new: { ...tensor, sizeBytes: newSize } }]
  })
}

function pairOf(before: TensorSet, after: TensorSet): string {
  const contents = ({ files }: TensorSet) => files.map(({ file }) => file.etag)
  return createHash('sha256')
    .update(JSON.stringify([COMPARISON_VERSION, contents(before), contents(after)]))
    .digest('hex')
}
