import type { Ctx } from '../../../core/ctx.ts'
import {
  diffCommit,
  diffCommits,
  diffFile,
  type ChangedBlob,
  type ChangedFiles,
  type DiffOptions,
  type FileChange,
  type FileDiff,
  type MergeSides,
  type Snapshot,
} from '../../../core/git/index.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { requireRepo, type RepoAddress } from '../../repos/index.ts'
import { requireCommit } from './commit-detail.ts'

/** What a commit changed in one file. */
export interface FileComparison extends FileDiff {
  change: FileChange
  /** The commits compared; without `base` the first commit of a repo. */
  base: string | undefined
  head: string
}

/** A file, and how it is compared. */
export interface WantedDiff extends DiffOptions {
  path: string
}

/** Compares one file of a commit with the first parent's. Problems `gated`, `revision-not-found`, `entry-not-found`. */
export async function diffOfCommit(
  ctx: Ctx,
  address: RepoAddress,
  sha: string,
  file: WantedDiff,
): Promise<FileComparison> {
  const repo = await requireRepo(ctx, address, 'repo.files')
  const { snapshot, commit } = await requireCommit(ctx, repo.id, sha)
  const base = (await snapshot.findCommit(commit))?.parents[0]
  const diff = await diffCommit(ctx.git, snapshot, commit)
  return compare(ctx, snapshot, { base, head: commit, diff }, file)
}

/**
 * Compares one file of two commits of a repo whose files the caller may read. Problem `entry-not-found` when they agree
 * about it.
 */
export async function compareFile(
  ctx: Ctx,
  snapshot: Snapshot,
  sides: MergeSides,
  file: WantedDiff,
): Promise<FileComparison> {
  return compare(ctx, snapshot, { ...sides, diff: await diffCommits(ctx.git, snapshot, sides) }, file)
}

interface Compared {
  base: string | undefined
  head: string
  diff: ChangedFiles | undefined
}

async function compare(
  ctx: Ctx,
  snapshot: Snapshot,
  { base, head, diff }: Compared,
  { path, ...options }: WantedDiff,
): Promise<FileComparison> {
  const listed = diff?.files.find((file) => file.path === path)
  const change = listed ?? (diff?.isTruncated ? await changeOf(snapshot, base, head, path) : undefined)
  if (!change)
    throw new Problem('entry-not-found', {
      detail: `Nothing is changed in "${path}".`,
      members: { commit: head },
    })
  return { change, base, head, ...(await diffFile(ctx.git, snapshot, change, options)) }
}

/** A file among very many that have changed, beyond those listed. */
async function changeOf(
  snapshot: Snapshot,
  base: string | undefined,
  head: string,
  path: string,
): Promise<FileChange | undefined> {
  const old = base === undefined ? undefined : await sideAt(snapshot, base, path)
  const now = await sideAt(snapshot, head, path)
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
