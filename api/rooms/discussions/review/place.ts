import type { DiffSide } from '../../../../shared/vocabulary.ts'
import { policyOf, can } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { diffCommits, type DiffLine, type Hunk } from '../../../core/git/index.ts'
import { invalidField, Problem } from '../../../platform/problems/index.ts'
import type { Repo, RepoAddress } from '../../repos/index.ts'
import { diffOfPullRequest } from '../diff.ts'
import type { DiscussionEvent } from '../event-queries.ts'
import { comparedSides } from '../mergeable.ts'
import type { PullRequest } from '../queries.ts'

/** A line of a pull request's diff: of the file as it was (`old`) or as it becomes (`new`). */
export interface WantedPlace {
  path: string
  side: DiffSide
  line: number
  /** The head that the reviewer has seen, 40-hex. */
  commit: string
}

/** Where a review comment stands, as it is kept. */
export interface Place extends WantedPlace {
  /** 40-hex. */
  fileOid: string
  excerpt: DiffLine[]
}

/** Lines of an excerpt, the commented one included. */
const excerptLines = 4
const maxLineLength = 500

/**
 * The line as the diff has it now. Problems `state-conflict` when the pull request has moved on since the reviewer read
 * it, `entry-not-found`, and `validation-failed` for a line that the diff does not show.
 */
export async function findPlace(
  ctx: Ctx,
  address: RepoAddress,
  num: number,
  wanted: WantedPlace,
): Promise<Place> {
  const { path, side, line } = wanted
  const { head, base, change, hunks } = await diffOfPullRequest(ctx, address, num, { path })
  if (head !== wanted.commit)
    throw new Problem('state-conflict', {
      detail: `The pull request has new commits since you read it. Its head is ${head} now. Reload the page and comment again.`,
    })
  const file = change[side]
  const excerpt = excerptAt(hunks, side, line)
  if (!file || !excerpt)
    throw invalidField('place.line', `must be a line that the diff of "${path}" shows on its ${side} side`)
  return { path, side, line, commit: side === 'old' ? (base ?? head) : head, fileOid: file.oid, excerpt }
}

function excerptAt(hunks: readonly Hunk[], side: DiffSide, line: number): DiffLine[] | undefined {
  const other = side === 'old' ? 'add' : 'delete'
  for (const hunk of hunks) {
    let at = (side === 'old' ? hunk.oldStart : hunk.newStart) - 1
    const index = hunk.lines.findIndex(({ kind }) => kind !== other && ++at === line)
    if (index < 0) continue
    return hunk.lines
      .slice(Math.max(0, index + 1 - excerptLines), index + 1)
      .map(({ kind, text }) => ({ kind, text: text.slice(0, maxLineLength) }))
  }
  return undefined
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
