import type { Ctx } from '../../../core/ctx.ts'
import {
  diffCommit,
  findCommitRecords,
  type CommitRecord,
  type DiffOptions,
  type FileChange,
  type Snapshot,
} from '../../../core/git/index.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { requireRepo, type RepoAddress } from '../../repos/index.ts'
import { openRevision } from './revision.ts'

/** A commit and the files it changed against its first parent. */
export interface CommitDetail {
  commit: CommitRecord
  files: FileChange[]
  /** More files changed than are listed. */
  isTruncated: boolean
  /** Lines of some files were not counted, since there are too many. */
  isUncounted: boolean
}

/** One commit by its sha, or a unique beginning of it. Problem `revision-not-found`. */
export async function getCommit(
  ctx: Ctx,
  address: RepoAddress,
  sha: string,
  options?: DiffOptions,
): Promise<CommitDetail> {
  const repo = await requireRepo(ctx, address, 'repo.read')
  const { snapshot, commit } = await requireCommit(ctx, repo.id, sha)
  const diff = await diffCommit(ctx.git, snapshot, commit, options)
  return {
    commit: await recordOf(ctx, snapshot, commit),
    files: diff?.files ?? [],
    isTruncated: diff?.isTruncated ?? false,
    isUncounted: diff?.isUncounted ?? false,
  }
}

/** Only ids name commits here: the answer for one never changes. */
export async function requireCommit(
  ctx: Ctx,
  repoId: string,
  sha: string,
): Promise<{ snapshot: Snapshot; commit: string }> {
  if (!/^[0-9a-f]{7,40}$/.test(sha))
    throw new Problem('revision-not-found', { detail: `Invalid rev id: ${sha}` })
  const { snapshot, commit } = await openRevision(ctx, repoId, sha)
  // A branch may be called like the beginning of a sha.
  if (!commit.startsWith(sha)) throw new Problem('revision-not-found', { detail: `Invalid rev id: ${sha}` })
  return { snapshot, commit }
}

/** What is known of a commit: the index's record, or the object itself where the index lacks it. */
export async function recordOf(ctx: Ctx, snapshot: Snapshot, sha: string): Promise<CommitRecord> {
  const indexed = (await findCommitRecords(ctx.db, snapshot.repoId, [sha])).get(sha)
  if (indexed) return indexed
  const object = await snapshot.findCommit(sha)
  if (!object) throw new Problem('revision-not-found', { detail: `Invalid rev id: ${sha}` })
  const { parents, author, committer, subject, body } = object
  return { sha, parents, author, committer, subject, body }
}
