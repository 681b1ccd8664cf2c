import { limits, type DiffSide } from '../../../../shared/vocabulary.ts'
import { policyOf, can } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { diffCommits, type DiffLine, type Hunk } from '../../../core/git/index.ts'
import { invalidField, Problem } from '../../../platform/problems/index.ts'
import type { FileComparison } from '../../content/index.ts'
import type { Repo, RepoAddress } from '../../repos/index.ts'
import { diffOfPullRequest } from '../diff.ts'
import type { DiscussionEvent } from '../event-queries.ts'
import { comparedSides } from '../mergeable.ts'
import type { PullRequest } from '../queries.ts'

/** Lines of a pull request's diff: of the file as it was (`old`) or as it becomes (`new`). */
export interface WantedPlace {
  path: string
  side: DiffSide
  line: number
  /** The first of several lines, of which `line` is the last. */
  startLine?: number | undefined
  /** The head that the reviewer has seen, 40-hex. */
  commit: string
}

/** Where a review comment stands, as it is kept. */
export interface Place extends WantedPlace {
  /** 40-hex. */
  fileOid: string
  excerpt: DiffLine[]
}

/** Lines of the excerpt of one line, itself included. */
const excerptLines = 4
const maxLineLength = 500

/**
 * The lines as the diff has them now. Problems `state-conflict` when the pull request has moved on since the reviewer read
 * it, `entry-not-found`, and `validation-failed` for lines that the diff does not show, or not in one hunk.
 */
export async function findPlace(
  ctx: Ctx,
  address: RepoAddress,
  num: number,
  wanted: WantedPlace,
): Promise<Place> {
  checkRange(wanted, 'place')
  const diff = await diffOfPullRequest(ctx, address, num, { path: wanted.path })
  requireHead(diff.head, wanted.commit)
  return placeIn(diff, wanted, 'place')
}

/** As `findPlace`, of the comments of one review: each file is compared once. */
export async function findPlaces(
  ctx: Ctx,
  address: RepoAddress,
  num: number,
  wanted: readonly WantedPlace[],
): Promise<Place[]> {
  const diffs = new Map<string, FileComparison>()
  const places: Place[] = []
  for (const [i, each] of wanted.entries()) {
    const field = `comments.${i}.place`
    checkRange(each, field)
    const diff = diffs.get(each.path) ?? (await diffOfPullRequest(ctx, address, num, { path: each.path }))
    diffs.set(each.path, diff)
    requireHead(diff.head, each.commit)
    places.push(placeIn(diff, each, field))
  }
  return places
}

/** Problem `state-conflict` unless the pull request is where the reviewer has seen it. */
export function requireHead(head: string, seen: string): void {
  if (head === seen) return
  throw new Problem('state-conflict', {
    detail: `The pull request has new commits since you read it. Its head is ${head} now. Reload the page and comment again.`,
  })
}

function placeIn(
  { head, base, change, hunks }: FileComparison,
  { path, side, line, startLine }: WantedPlace,
  field: string,
): Place {
  const file = change[side]
  const found = hunkOf(hunks, side, line)
  if (!file || !found)
    throw invalidField(`${field}.line`, `must be a line that the diff of "${path}" shows on its ${side} side`)
  const excerpt = excerptOf(found, line, startLine)
  if (!excerpt) throw invalidField(`${field}.start_line`, 'must be a line of the hunk that has the last line')
  const commit = side === 'old' ? (base ?? head) : head
  return { path, side, line, startLine, commit, fileOid: file.oid, excerpt }
}

function checkRange({ line, startLine }: WantedPlace, field: string): void {
  if (startLine === undefined) return
  if (startLine >= line) throw invalidField(`${field}.start_line`, 'must be less than the last line')
  if (line - startLine >= limits.reviewLines)
    throw invalidField(`${field}.start_line`, `a comment is about at most ${limits.reviewLines} lines`)
}

interface NumberedLine extends DiffLine {
  /** In the file of the wanted side; absent for a line of the other side alone. */
  number: number | undefined
}

/** The lines of the hunk that shows a line of a side. */
function hunkOf(hunks: readonly Hunk[], side: DiffSide, line: number): NumberedLine[] | undefined {
  const other = side === 'old' ? 'add' : 'delete'
  for (const hunk of hunks) {
    let at = side === 'old' ? hunk.oldStart : hunk.newStart
    const lines = hunk.lines.map((each) => ({ ...each, number: each.kind === other ? undefined : at++ }))
    if (lines.some(({ number }) => number === line)) return lines
  }
  return undefined
}

/** A line with those above it, or several of a side; `undefined` where the hunk does not have the first of them. */
function excerptOf(
  lines: NumberedLine[],
  line: number,
  startLine: number | undefined,
): DiffLine[] | undefined {
  const end = lines.findIndex(({ number }) => number === line) + 1
  const start =
    startLine === undefined
      ? Math.max(0, end - excerptLines)
      : lines.findIndex(({ number }) => number === startLine)
  if (start < 0) return undefined
  return lines
    .slice(start, end)
    .filter(({ number }) => startLine === undefined || number !== undefined)
    .map(({ kind, text }) => ({ kind, text: text.slice(0, maxLineLength) }))
}

/** What viewers see of the places of a thread's review comments. */
export interface ShownPlaces {
  /** Excerpts are content of files, which gated repos show to few. */
  hasExcerpts: boolean
  /** Ids of the comments whose file is another one by now. */
  outdated: Set<string>
}

/** Looks at the files once for the whole thread; `undefined` for one without review comments. */
export async function placesOf(
  ctx: Ctx,
  repo: Repo,
  pull: PullRequest | undefined,
  events: DiscussionEvent[],
): Promise<ShownPlaces | undefined> {
  const placed = events.filter(({ path }) => path !== null)
  if (!pull || placed.length === 0) return undefined
  const snapshot = await ctx.git.open(repo.id, ctx)
  const diff = await diffCommits(ctx.git, snapshot, await comparedSides(ctx, snapshot, pull))
  const files = new Map(diff?.files.map((file) => [file.path, file]))
  const isOutdated = ({ path, side, fileOid }: DiscussionEvent) => {
    const file = files.get(path ?? '')
    if (!file) return !diff?.isTruncated
    return file[side ?? 'new']?.oid !== fileOid
  }
  return {
    hasExcerpts: can(ctx.actor, 'repo.files', repo, policyOf(ctx.config)),
    outdated: new Set(placed.filter(isOutdated).map(({ id }) => id)),
  }
}
