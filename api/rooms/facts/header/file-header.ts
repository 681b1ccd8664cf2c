import type { Ctx } from '../../../core/ctx.ts'
import { openRevision } from '../../content/index.ts'
import { requireRepo, type RepoAddress } from '../../repos/index.ts'
import { openTensors, type Tensor, type TensorSet } from './tensors.ts'

/** Where a page of tensors begins: the list of a commit never changes. */
export interface HeaderPosition {
  commit: string
  at: number
}

/** One page of what a header says. */
export interface FileHeader {
  commit: string
  path: string
  set: TensorSet
  tensors: Tensor[]
  /** Whether this is the first page, which alone has keys and problems. */
  isFirst: boolean
  next?: HeaderPosition
}

/** The header of a file at a revision, with one page of its tensors. Problems: those of `openTensors`, `revision-not-found`. */
export async function getFileHeader(
  ctx: Ctx,
  address: RepoAddress,
  query: { revision: string; path: string; from?: HeaderPosition | undefined; limit: number },
): Promise<FileHeader> {
  const { path, from, limit } = query
  const repo = await requireRepo(ctx, address, 'repo.files')
  const revision = await openRevision(ctx, repo.id, from?.commit ?? query.revision)
  const set = await openTensors(ctx, repo, revision, path)
  const { commit } = revision
  const at = from?.at ?? 0
  const end = at + limit
  return {
    commit,
    path,
    set,
    tensors: set.tensors.slice(at, end),
    isFirst: at === 0,
    ...(end < set.tensors.length ? { next: { commit, at: end } } : {}),
  }
}
