import type { Ctx } from '../ctx.ts'
import {
  diffCommit,
  diffFile,
  type ChangedBlob,
  type FileChange,
  type FileDiff,
  type Snapshot,
} from '../git/index.ts'
import { Problem } from '../problems/index.ts'
import { requireRepo, type RepoAddress } from '../repos/index.ts'
import { requireCommit } from './commit-detail.ts'

/** What a Commit changed in one file. */
export interface FileComparison extends FileDiff {
  change: FileChange
}

/** Compares one file of a Commit with the first parent's. Problems `gated`, `revision-not-found`, `entry-not-found`. */
export async function diffOfCommit(
  ctx: Ctx,
  address: RepoAddress,
  sha: string,
  path: string,
): Promise<FileComparison> {
  const repo = await requireRepo(ctx, address, 'repo.files')
  const { snapshot, commit } = await requireCommit(ctx, repo.id, sha)
  const diff = await diffCommit(ctx.git, snapshot, commit)
  const listed = diff?.files.find((file) => file.path === path)
  const change = listed ?? (diff?.isTruncated ? await changeOf(snapshot, commit, path) : undefined)
  if (!change)
    throw new Problem('entry-not-found', {
      detail: `This Commit does not change "${path}".`,
      members: { commit },
    })
  return { change, ...(await diffFile(ctx.git, snapshot, change)) }
}

/** A file that a very large Commit changed, beyond those listed. */
async function changeOf(snapshot: Snapshot, commit: string, path: string): Promise<FileChange | undefined> {
  const parent = (await snapshot.findCommit(commit))?.parents[0]
  const old = parent === undefined ? undefined : await sideAt(snapshot, parent, path)
  const now = await sideAt(snapshot, commit, path)
  if ((!old && !now) || (old?.oid === now?.oid && old?.mode === now?.mode)) return undefined
  const status = old && now ? 'modified' : now ? 'added' : 'deleted'
  return { path, status, isBinary: false, ...(old ? { old } : {}), ...(now ? { new: now } : {}) }
}

async function sideAt(snapshot: Snapshot, commit: string, path: string): Promise<ChangedBlob | undefined> {
  const entry = await snapshot.entryAt(commit, path)
  if (!entry || entry.kind === 'directory') return undefined
  const { oid, mode, kind } = entry
  const [facts] = kind === 'submodule' ? [] : await snapshot.describe([oid])
  return { oid, mode, ...(facts ? { facts } : {}) }
}
