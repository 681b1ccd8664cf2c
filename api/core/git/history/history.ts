import { and, between, desc, eq, inArray, lte, max, sql } from 'drizzle-orm'
import { jsonRow } from '../../../stores/db/index.ts'
import { recordsAt, type CommitRecord } from './commit-records.ts'
import { findPlace, type Place } from './history-index.ts'
import type { HistoryQuery } from './history-query.ts'
import { ensureIndexed } from './index-gap.ts'
import type { Git } from '../git.ts'
import { lastByGit, listByGit } from './log-fallback.ts'
import { oidFromHex } from '../objects/oid.ts'
import type { Reader } from '../repo-state.ts'
import type { Snapshot } from '../snapshot.ts'

/** Commits of one chain from its start up to position `pos`. */
type Range = Place

// More names than this are cheaper found by one range than one by one.
const MAX_NAMES_BY_EQUALITY = 50
const MAX_HOPS = 10_000

/**
 * The last commit that changed each of `names` in the folder `dir`, as seen from the commit `sha`; first parents only.
 * Names that cannot be found in time (of a history too long to enter while reading) are missing from the answer.
 */
export async function lastCommits(
  git: Git,
  snapshot: Snapshot,
  { sha, dir, names }: { sha: string; dir: string; names: string[] },
): Promise<Map<string, CommitRecord>> {
  const found = new Map<string, CommitRecord>()
  const ranges = await rangesOf(git, snapshot, sha)
  if (ranges.length === 0) return lastByGit(git, snapshot, { sha, dir, names })
  const dirId = await findDir(git.deps.db, snapshot.repoId, dir)
  if (dirId === undefined) return found
  let wanted = [...names].sort()
  for (const range of ranges) {
    if (wanted.length === 0) break
    snapshot.caller.signal?.throwIfAborted()
    const positions = await lastPositions(git.deps.db, snapshot.repoId, dirId, range, wanted)
    const records = await recordsAt(git.deps.db, snapshot.repoId, range.chain, [
      ...new Set(positions.values()),
    ])
    for (const [name, pos] of positions) {
      const record = records.get(pos)
      if (record) found.set(name, record)
    }
    wanted = wanted.filter((name) => !found.has(name))
  }
  return found
}

async function lastPositions(
  { q, t: { git_changes } }: Reader,
  repoId: string,
  dirId: string,
  { chain, pos }: Range,
  names: string[],
): Promise<Map<string, number>> {
  const byName =
    names.length <= MAX_NAMES_BY_EQUALITY
      ? inArray(git_changes.name, names)
      : between(git_changes.name, names[0] ?? '', names.at(-1) ?? '')
  const changes = q
    .select({ name: git_changes.name, pos: max(git_changes.pos).as('last_pos') })
    .from(git_changes)
    .where(
      and(
        eq(git_changes.repo_id, repoId),
        eq(git_changes.dir_id, dirId),
        byName,
        eq(git_changes.chain, chain),
        lte(git_changes.pos, pos),
      ),
    )
    .groupBy(git_changes.name)
    .as('changes')
  const row = jsonRow({ name: changes.name, pos: sql<number>`${changes.pos}` })
  const [found] = await q.select({ all: row.all([changes.name]) }).from(changes)
  const wanted = new Set(names)
  return new Map(found?.all.filter(({ name }) => wanted.has(name)).map(({ name, pos: last }) => [name, last]))
}

/**
 * First-parent history from `sha`, newest first, and how many commits it has in all. `undefined` when `after` is no
 * commit of it.
 */
export async function listCommits(
  git: Git,
  snapshot: Snapshot,
  query: HistoryQuery,
): Promise<{ commits: CommitRecord[]; total: number } | undefined> {
  const { sha, path, after, offset = 0, limit } = query
  const { db } = git.deps
  const { repoId } = snapshot
  const ranges = await rangesOf(git, snapshot, sha)
  if (ranges.length === 0) return listByGit(git, snapshot, query)
  const left = after === undefined ? ranges : behind(ranges, await findPlace(db, repoId, oidFromHex(after)))
  if (!left) return undefined
  const chosen = path ? await touching(db, repoId, path) : everyCommit
  const commits: CommitRecord[] = []
  let skip = offset
  for (const range of left) {
    if (commits.length === limit) break
    snapshot.caller.signal?.throwIfAborted()
    const positions = await chosen.page(range, skip, limit - commits.length)
    const records = await recordsAt(db, repoId, range.chain, positions)
    for (const pos of positions) {
      const record = records.get(pos)
      if (record) commits.push(record)
    }
    if (skip > 0) skip = Math.max(0, skip - (await chosen.count(range)))
  }
  let total = 0
  for (const range of ranges) {
    snapshot.caller.signal?.throwIfAborted()
    total += await chosen.count(range)
  }
  return { commits, total }
}

/** What is left of the stretches behind a place in one of them. */
function behind(ranges: Range[], place: Place | undefined): Range[] | undefined {
  const at = ranges.findIndex((range) => range.chain === place?.chain && place.pos <= range.pos)
  if (!place || at < 0) return undefined
  return [{ chain: place.chain, pos: place.pos - 1 }, ...ranges.slice(at + 1)]
}

/** Which commits of a stretch are listed. */
interface Chosen {
  count: (range: Range) => Promise<number>
  /** Positions, the newest first. */
  page: (range: Range, skip: number, take: number) => Promise<number[]>
}

const everyCommit: Chosen = {
  count: async ({ pos }) => pos + 1,
  page: async ({ pos }, skip, take) =>
    Array.from({ length: Math.max(0, Math.min(take, pos + 1 - skip)) }, (_, i) => pos - skip - i),
}

/** Those that changed a file or something in a folder. */
async function touching(reader: Reader, repoId: string, path: string): Promise<Chosen> {
  const { q, t } = reader
  const { git_changes } = t
  const slash = path.lastIndexOf('/')
  const dirId = await findDir(reader, repoId, slash < 0 ? '' : path.slice(0, slash))
  const within = ({ chain, pos }: Range) =>
    and(
      eq(git_changes.repo_id, repoId),
      eq(git_changes.dir_id, dirId ?? ''),
      eq(git_changes.name, path.slice(slash + 1)),
      eq(git_changes.chain, chain),
      lte(git_changes.pos, pos),
    )
  return {
    count: async (range) => q.$count(git_changes, within(range)),
    page: async (range, skip, take) => {
      const rows = q.select({ pos: git_changes.pos }).from(git_changes).where(within(range))
      return (await rows.orderBy(desc(git_changes.pos)).limit(take).offset(skip)).map((row) => row.pos)
    },
  }
}

/** The stretches of chains that make up the first-parent history of a commit, newest first. */
async function rangesOf(git: Git, snapshot: Snapshot, sha: string): Promise<Range[]> {
  const { db } = git.deps
  const { repoId } = snapshot
  // The history of a mirror grows at its old end as well, once the whole of it is fetched.
  const key = `${repoId}/${sha}/${snapshot.shallow.size}`
  const cached = git.historyRanges.get(key)
  if (cached) return cached
  const ranges: Range[] = []
  let place = (await findPlace(db, repoId, oidFromHex(sha))) ?? (await ensureIndexed(git, snapshot, sha))
  while (place && ranges.length < MAX_HOPS) {
    snapshot.caller.signal?.throwIfAborted()
    ranges.push(place)
    place = await parentOf(db, repoId, place.chain)
  }
  if (ranges.length > 0) git.historyRanges.set(key, ranges)
  return ranges
}

async function parentOf(
  { q, t: { git_chains } }: Reader,
  repoId: string,
  chain: number,
): Promise<Place | undefined> {
  const [row] = await q
    .select({ chain: git_chains.parent_chain, pos: git_chains.parent_pos })
    .from(git_chains)
    .where(and(eq(git_chains.repo_id, repoId), eq(git_chains.id, chain)))
  return row?.chain == null || row.pos === null ? undefined : { chain: row.chain, pos: row.pos }
}

async function findDir(
  { q, t: { git_dirs } }: Reader,
  repoId: string,
  path: string,
): Promise<string | undefined> {
  const [row] = await q
    .select({ id: git_dirs.id })
    .from(git_dirs)
    .where(and(eq(git_dirs.repo_id, repoId), eq(git_dirs.path, path)))
  return row?.id
}
