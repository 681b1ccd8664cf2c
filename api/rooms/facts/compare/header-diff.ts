import type { Ctx } from '../../../core/ctx.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { openRevision, type FileComparison } from '../../content/index.ts'
import { requireRepo, type RepoAddress } from '../../repos/index.ts'
import { hasTensors, openTensors, type HeaderValue, type Tensor, type TensorSet } from '../header/tensors.ts'

/** Entries of each list of a diff. */
const MAX_LISTED = 1000

/** A file at a commit. */
export interface Side {
  commit: string
  path: string
}

interface Changes<T> {
  /** How many there are; `items` has the first 1000. */
  count: number
  items: T[]
}

/** How the tensors of two headers differ, by what the headers say: the bytes of tensors are not read. */
export interface TensorChanges {
  added: Changes<Tensor>
  removed: Changes<Tensor>
  /** Of another dtype or shape. */
  changed: Changes<{ old: Tensor; new: Tensor }>
  /** Of equal dtype and shape. */
  alikeCount: number
}

/** How two headers differ. */
export interface HeaderDiff {
  old?: Side
  new?: Side
  tensors: TensorChanges
  keys: {
    added: Changes<{ key: string; value: HeaderValue }>
    removed: Changes<{ key: string; value: HeaderValue }>
    changed: Changes<{ key: string; old: HeaderValue; new: HeaderValue }>
  }
  /** A header has more tensors than are compared. */
  isTruncated: boolean
}

/**
 * How the headers of a changed file differ; nothing for a path without a header, and where one cannot be read, since the
 * rest of the comparison stands. Problems: those of reading the repo.
 */
export async function headerDiff(
  ctx: Ctx,
  address: RepoAddress,
  { change, base, head }: FileComparison,
): Promise<HeaderDiff | undefined> {
  const oldPath = change.oldPath ?? change.path
  const old =
    change.old && base !== undefined && hasTensors(oldPath) ? { commit: base, path: oldPath } : undefined
  const now = change.new && hasTensors(change.path) ? { commit: head, path: change.path } : undefined
  if (!old && !now) return undefined
  const repo = await requireRepo(ctx, address, 'repo.files')
  const open = async (side: Side | undefined) =>
    side && openTensors(ctx, repo, await openRevision(ctx, repo.id, side.commit), side.path)
  try {
    const [before, after] = [await open(old), await open(now)]
    return { ...(old ? { old } : {}), ...(now ? { new: now } : {}), ...compareHeaders(before, after) }
  } catch (error) {
    if (error instanceof Problem && unreadable.has(error.code)) return undefined
    throw error
  }
}

const unreadable = new Set(['validation-failed', 'lfs-object-missing', 'store-unavailable'])

/** Compares what two headers say. Pure. */
function compareHeaders(
  before: TensorSet | undefined,
  after: TensorSet | undefined,
): Pick<HeaderDiff, 'tensors' | 'keys' | 'isTruncated'> {
  return {
    tensors: compareTensors(before?.tensors ?? [], after?.tensors ?? []),
    keys: compareKeys(before?.metadata ?? [], after?.metadata ?? []),
    isTruncated: (before?.isTruncated ?? false) || (after?.isTruncated ?? false),
  }
}

function compareTensors(before: readonly Tensor[], after: readonly Tensor[]): TensorChanges {
  const old = new Map(before.map((tensor) => [tensor.name, tensor]))
  const added = new Listed<Tensor>()
  const changed = new Listed<{ old: Tensor; new: Tensor }>()
  let alikeCount = 0
  for (const tensor of after) {
    const was = old.get(tensor.name)
    old.delete(tensor.name)
    if (!was) added.add(tensor)
    else if (isAlike(was, tensor)) alikeCount++
    else changed.add({ old: was, new: tensor })
  }
  const removed = new Listed<Tensor>()
  for (const tensor of old.values()) removed.add(tensor)
  return { added: added.list(), removed: removed.list(), changed: changed.list(), alikeCount }
}

/** Whether two tensors have one dtype and shape, so that their bytes can be compared. */
export const isAlike = (a: Tensor, b: Tensor): boolean =>
  a.dtype === b.dtype && a.shape.length === b.shape.length && a.shape.every((size, i) => size === b.shape[i])

function compareKeys(before: TensorSet['metadata'], after: TensorSet['metadata']): HeaderDiff['keys'] {
  const old = new Map(before)
  const added = new Listed<{ key: string; value: HeaderValue }>()
  const changed = new Listed<{ key: string; old: HeaderValue; new: HeaderValue }>()
  for (const [key, value] of new Map(after)) {
    const was = old.get(key)
    old.delete(key)
    if (was === undefined) added.add({ key, value })
    else if (JSON.stringify(was) !== JSON.stringify(value)) changed.add({ key, old: was, new: value })
  }
  const removed = new Listed<{ key: string; value: HeaderValue }>()
  for (const [key, value] of old) removed.add({ key, value })
  return { added: added.list(), removed: removed.list(), changed: changed.list() }
}

/** Counts all, and keeps the first. */
class Listed<T> {
  readonly #items: T[] = []
  #count = 0

  add(item: T): void {
    if (this.#count++ < MAX_LISTED) this.#items.push(item)
  }

  list(): Changes<T> {
    return { count: this.#count, items: this.#items }
  }
}
