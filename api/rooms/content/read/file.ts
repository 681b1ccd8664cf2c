import { authorise, policyOf } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { openObject } from '../../../core/lfs/index.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { requireRepo, type Repo, type RepoAddress } from '../../repos/index.ts'
import type { ByteRange, ByteSource } from '../../../stores/storage/index.ts'
import { README } from '../head/facts.ts'
import {
  clientCommit,
  describeEntry,
  entryNotFound,
  openRevision,
  requireEntry,
  type Revision,
} from './revision.ts'

/** A file at a commit, ready to be sent. */
export interface OpenedFile {
  repo: Repo
  commit: string
  path: string
  /** Git blob, 40-hex; of a large file its pointer's. */
  oid: string
  /** Real size in bytes. */
  sizeBytes: number
  /** Strong validator without quotes: SHA-256 of a large file, else the blob's oid. */
  etag: string
  /**
   * When the commit was made, and not the last one that changed the path: that would take the history index. It is the same
   * for a commit and path at any time.
   */
  modifiedAt: Date | undefined
  lfs?: { sha256: string; sizeBytes: number; pointerBytes: number }
  /** Key of a large file's object in the blob store, for a presigned URL. Problem `store-unavailable` when its bytes are lost. */
  objectKey(): Promise<string | undefined>
  /** Its bytes, or one range of them. */
  open(range?: ByteRange, signal?: AbortSignal): Promise<ByteSource>
}

/** `content` is what people mean by the file; `git` is what git stores, the pointer's text for a large file. */
export type FileForm = 'content' | 'git'

/**
 * Opens a file for download. Without SQL or I/O while nothing was written here and the trees are in memory, so that a
 * HEAD costs next to nothing. The root README needs no more than reading the repo, also where files are gated.
 * Problems `gated`, `revision-not-found`, `entry-not-found` (also for folders).
 */
export async function openFile(
  ctx: Ctx,
  address: RepoAddress,
  { revision, path, form = 'content' }: { revision?: string; path: string; form?: FileForm },
): Promise<OpenedFile> {
  const repo = await requireRepo(ctx, address, 'repo.read')
  return openFileAt(ctx, repo, await openRevision(ctx, repo.id, revision), path, form)
}

/** As `openFile`, of a repo that the caller may read, at a revision of it that is open already. */
export async function openFileAt(
  ctx: Ctx,
  repo: Repo,
  opened: Revision,
  path: string,
  form: FileForm = 'content',
): Promise<OpenedFile> {
  authorise(ctx.actor, path === README ? 'repo.card' : 'repo.files', repo, policyOf(ctx.config))
  const entry = await requireEntry(opened, path)
  if (entry.kind === 'directory' || entry.kind === 'submodule')
    throw entryNotFound(path, clientCommit(opened))
  const { snapshot, commit } = opened
  const { sizeBytes, lfs } = await describeEntry(snapshot, entry)
  const { oid } = entry
  const modifiedAt = await snapshot.findCommitDate(commit)
  if (lfs && form === 'content') {
    const object = () => openObject(ctx, repo.id, lfs.sha256)
    return {
      repo,
      commit,
      path,
      oid,
      sizeBytes: lfs.sizeBytes,
      etag: lfs.sha256,
      modifiedAt,
      lfs,
      objectKey: async () => (await object()).key(),
      open: async (range, signal) => (await object()).open(range, signal),
    }
  }
  return {
    repo,
    commit,
    path,
    oid,
    sizeBytes: lfs ? lfs.pointerBytes : sizeBytes,
    etag: oid,
    modifiedAt,
    objectKey: async () => undefined,
    open: async (range) => {
      const blob = await snapshot.openBlob(oid, range)
      if (!blob) throw new Problem('internal', { cause: new Error(`blob ${oid} is gone`) })
      return blob.source
    },
  }
}
