import type { CommitRecord, DiffOptions, Divergence, FileChange, MergeSides } from '../../core/git/index.ts'
import { time, type z } from '../../core/http/contract.ts'
import { avatarPath } from '../namespaces/index.ts'
import type { HeaderDiff } from '../facts/index.ts'
import { headerDiffView } from '../facts/view.ts'
import type { FileVerdict } from '../scans/index.ts'
import type { FileBlame } from './read/blame.ts'
import type { CommitContributors } from './read/contributors.ts'
import type { CommitDetail as Detail } from './read/commit-detail.ts'
import type { FileComparison, WantedDiff } from './read/diff.ts'
import { shortName, type ListedRef } from './refs/refs.ts'
import type * as schemas from './schemas.ts'
import type { ListedEntry } from './read/tree.ts'

type View<S extends z.ZodType> = z.output<S>

/** What views need besides their row. */
export interface Shown {
  /** Account id → username. */
  usernames: ReadonlyMap<string, string>
  /** Path → what the scan says of the file. */
  scans?: ReadonlyMap<string, FileVerdict>
}

/** A ref as the API shows it. */
export function refView(ref: ListedRef): View<typeof schemas.Ref> {
  return {
    name: shortName(ref),
    ref: ref.name,
    target_commit: ref.commit,
    updated_at: time(ref.updatedAt),
    ...(ref.message === undefined ? {} : { message: ref.message }),
    ...(ref.isProtected ? { protected: true } : {}),
    ...(ref.isPullRequestOnly ? { pull_request_only: true } : {}),
  }
}

/** All refs, sorted into their kinds. */
export function refsView(refs: ListedRef[]): View<typeof schemas.Refs> {
  const below = (prefix: string) => refs.filter(({ name }) => name.startsWith(prefix)).map(refView)
  return {
    branches: below('refs/heads/'),
    tags: below('refs/tags/'),
    pull_requests: below('refs/pr/'),
    converts: below('refs/convert/'),
  }
}

/** A commit as the API shows it. */
export function commitView(
  record: CommitRecord,
  { usernames }: Shown,
  boundary?: ReadonlySet<string>,
): View<typeof schemas.Commit> {
  return {
    sha: record.sha,
    parents: record.parents,
    title: record.subject,
    ...(record.body === '' ? {} : { body: record.body }),
    author: { name: record.author.name, email: record.author.email, ...accountOf(record, usernames) },
    committed_at: time(record.committer.at),
    ...(boundary?.has(record.sha) ? { is_boundary: true } : {}),
  }
}

function accountOf({ userId }: { userId?: string }, usernames: Shown['usernames']) {
  const username = userId === undefined ? undefined : usernames.get(userId)
  return username === undefined ? {} : { username, avatar_url: avatarPath(username) }
}

/** Where the lines of a file come from. */
export const blameView = (found: FileBlame, { usernames }: Shown): View<typeof schemas.Blame> => ({
  commit: found.commit,
  path: found.path,
  line_count: found.lineCount,
  truncated: found.isTruncated,
  ranges: found.ranges.map((range) => ({
    start: range.start,
    count: range.count,
    commit: range.commit,
    original_start: range.originalStart,
    original_path: range.originalPath,
    ...(range.previous ? { previous: range.previous } : {}),
  })),
  commits: found.commits.map((commit) => ({
    sha: commit.sha,
    title: commit.title,
    author: { name: commit.author, ...accountOf(commit, usernames) },
    committed_at: time(commit.committedAt),
    ...(commit.isBoundary ? { is_boundary: true } : {}),
  })),
})

/** Who made the commits that lead to a commit. */
export const contributorsView = (
  found: CommitContributors,
  { usernames }: Shown,
): View<typeof schemas.Contributors> => ({
  commit: found.commit,
  items: found.people.map((person) => ({
    name: person.name,
    ...accountOf(person, usernames),
    commits: person.commits,
    first_commit_at: time(person.firstAt),
    last_commit_at: time(person.lastAt),
  })),
  total: found.total,
  commits: found.commits,
  is_partial: found.isPartial,
})

/** A commit with the files it changed. */
export function commitDetailView(
  { commit, files, isTruncated, isUncounted }: Detail,
  shown: Shown,
): View<typeof schemas.CommitDetail> {
  const sum = (of: (file: FileChange) => number | undefined) =>
    files.reduce((n, file) => n + (of(file) ?? 0), 0)
  return {
    ...commitView(commit, shown),
    files: files.map(changeView),
    total_additions: sum((file) => file.additions),
    total_deletions: sum((file) => file.deletions),
    truncated: isTruncated || isUncounted,
  }
}

/** What became of a file. */
export function changeView(file: FileChange): View<typeof schemas.ChangedFile> {
  const oldSize = realSize(file.old)
  const newSize = realSize(file.new)
  return {
    path: file.path,
    ...(file.oldPath === undefined ? {} : { old_path: file.oldPath }),
    status: file.status,
    ...(file.additions === undefined ? {} : { additions: file.additions }),
    ...(file.deletions === undefined ? {} : { deletions: file.deletions }),
    ...(file.old === undefined ? {} : { old_oid: file.old.oid }),
    ...(file.new === undefined ? {} : { new_oid: file.new.oid }),
    binary: file.isBinary,
    lfs: Boolean(file.old?.facts?.pointer ?? file.new?.facts?.pointer),
    ...(oldSize === undefined ? {} : { old_size: oldSize }),
    ...(newSize === undefined ? {} : { new_size: newSize }),
  }
}

const realSize = (side: FileChange['old']) => side?.facts?.pointer?.sizeBytes ?? side?.facts?.sizeBytes

/** One file's comparison. */
export function fileDiffView(
  { change, ...diff }: FileComparison,
  header: HeaderDiff | undefined,
): View<typeof schemas.FileDiff> {
  const old = lfsSide(change.old)
  const now = lfsSide(change.new)
  return {
    path: change.path,
    ...(change.oldPath === undefined ? {} : { old_path: change.oldPath }),
    status: change.status,
    binary: diff.isBinary,
    ...(old || now ? { lfs: { ...(old ? { old } : {}), ...(now ? { new: now } : {}) } } : {}),
    too_large: diff.isTooLarge,
    ...(diff.totalLines === undefined ? {} : { total_lines: diff.totalLines }),
    hunks: diff.hunks.map((hunk) => ({
      old_start: hunk.oldStart,
      old_lines: hunk.oldLines,
      new_start: hunk.newStart,
      new_lines: hunk.newLines,
      lines: hunk.lines,
    })),
    ...(header ? { header_diff: headerDiffView(header) } : {}),
  }
}

type DiffQuery = View<typeof schemas.DiffQuery>

/** How a caller wants lines to be compared. */
export const diffOptions = ({ ignore_whitespace }: DiffQuery): DiffOptions => ({
  ignoresWhitespace: ignore_whitespace ?? false,
})

/** The file whose difference a caller wants. */
export const wantedDiff = ({ path, ...query }: DiffQuery & { path: string }): WantedDiff => ({
  path,
  ...diffOptions(query),
})

/** How far apart two commits are. */
export const divergenceView = ({ base, head, divergence }: MergeSides & { divergence?: Divergence }) => ({
  base_commit: base,
  head_commit: head,
  ...divergence,
})

function lfsSide(side: FileChange['old']): { sha256: string; size: number } | undefined {
  const pointer = side?.facts?.pointer
  return pointer && { sha256: pointer.sha256, size: pointer.sizeBytes }
}

/** An entry of a tree. */
export function entryView(entry: ListedEntry, shown: Shown): View<typeof schemas.TreeEntry> {
  const { lfs, lastCommit } = entry
  const scan = entry.kind === 'directory' ? undefined : shown.scans?.get(entry.path)?.status
  return {
    name: entry.name,
    path: entry.path,
    kind: entry.kind === 'directory' ? 'directory' : 'file',
    size: entry.sizeBytes,
    oid: entry.oid,
    ...(lfs ? { lfs: { sha256: lfs.sha256, size: lfs.sizeBytes, pointer_size: lfs.pointerBytes } } : {}),
    presence: entry.absence ?? 'present',
    ...(scan ? { scan } : {}),
    ...(lastCommit ? { last_commit: commitView(lastCommit, shown) } : {}),
  }
}
