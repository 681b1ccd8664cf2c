import type { Ctx } from '../../../core/ctx.ts'
import {
  accountsByCommit,
  blameFile,
  type Blame,
  type NoBlame,
  type Snapshot,
} from '../../../core/git/index.ts'
import { Turns } from '../../../platform/flow/index.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { requireRepo, type RepoAddress } from '../../repos/index.ts'
import { describeEntry, clientCommit, entryNotFound, openRevision, requireEntry } from './revision.ts'

/** As much of a title or name is shown: lines may have 20 000 commits, whose messages are longer than any page. */
const MAX_TEXT = 200

/** A commit that lines come from. */
export interface BlamedCommit {
  sha: string
  title: string
  author: string
  /** The account that made it here. */
  userId?: string
  committedAt: Date
  /** Of a mirror: earlier history is at the upstream. */
  isBoundary: boolean
}

/** Where the lines of a file at a commit come from. */
export interface FileBlame extends Blame {
  commit: string
  path: string
  /** Each once, in the order of the lines. */
  commits: BlamedCommit[]
}

const reasons: Record<NoBlame | 'large-file', string> = {
  'large-file': 'It is a large file (LFS), of which git keeps only a pointer.',
  binary: 'It is a binary file, which has no lines.',
  'too-large': 'It is larger than 1 MiB.',
  'takes-too-long': 'Its history is too long to be gone through for a page.',
}

/**
 * Which commit each line of a text file comes from. Problems `gated`, `revision-not-found`, `entry-not-found` (also for
 * folders), `no-blame`, `temporarily-unavailable`.
 */
export async function getBlame(
  ctx: Ctx,
  address: RepoAddress,
  { revision, path }: { revision: string; path: string },
): Promise<FileBlame> {
  const repo = await requireRepo(ctx, address, 'repo.files')
  const opened = await openRevision(ctx, repo.id, revision)
  const { snapshot, commit } = opened
  const entry = await requireEntry(opened, path)
  if (entry.kind === 'directory' || entry.kind === 'submodule')
    throw entryNotFound(path, clientCommit(opened))
  const { lfs } = await describeEntry(snapshot, entry)
  if (lfs) throw noBlame('large-file')
  const found = await blameFile(ctx.git, snapshot, { sha: commit, path, oid: entry.oid })
  if (typeof found === 'string') throw noBlame(found)
  return { ...found, commit, path, commits: await commitsOf(ctx, snapshot, found) }
}

const noBlame = (reason: keyof typeof reasons) =>
  new Problem('no-blame', { detail: reasons[reason], members: { reason } })

async function commitsOf(ctx: Ctx, snapshot: Snapshot, { ranges }: Blame): Promise<BlamedCommit[]> {
  const shas = new Set(ranges.map(({ commit }) => commit))
  const userOf = await accountsByCommit(ctx.db, snapshot.repoId, shas)
  const turns = new Turns(ctx)
  const commits: BlamedCommit[] = []
  for (const sha of shas) {
    if (turns.isOver) await turns.next()
    const commit = await snapshot.findCommit(sha)
    if (!commit) throw new Problem('internal', { cause: new Error(`commit ${sha} is gone`) })
    const userId = userOf.get(sha)
    commits.push({
      sha,
      title: beginning(commit.subject),
      author: beginning(commit.author.name),
      ...(userId === undefined ? {} : { userId }),
      committedAt: commit.committer.at,
      isBoundary: snapshot.shallow.has(sha),
    })
  }
  return commits
}

/** Its last character is a whole one. */
const beginning = (text: string) =>
  text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT).replace(/[\uD800-\uDBFF]$/, '')}…`
