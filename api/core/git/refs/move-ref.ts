import { and, count, eq, gte, inArray, lt, or, sql } from 'drizzle-orm'
import { newId, type Tx } from '../../../stores/db/index.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { isHexOid, oidFromHex, type Oid } from '../objects/oid.ts'

/** What moved a ref. */
export type Via = 'api' | 'web' | 'push' | 'merge' | 'mirror' | 'convert'

/** A change of one ref. `from` absent makes it, `to` absent deletes it. Oids are 40-hex. */
export interface RefMove {
  repoId: string
  /** Full name, checked by `validateRefName` before. */
  name: string
  from?: string
  to?: string
  /** Where an annotated tag leads, when `to` is one. */
  peeled?: string
  /** `pruneSeq` of the snapshot that showed the objects this relies on. */
  pruneSeq: number
  /** `defaultBranch` of that snapshot: what goes with the move may depend on it. */
  defaultBranch: string
  userId?: string
  via: Via
  at: Date
}

/** More refs make adverts and snapshots slow. */
const MAX_REFS = 10_000

/** Objects were pruned, or another branch became the default, since the snapshot: all must be looked up again. */
export class StaleSnapshot extends Error {
  constructor() {
    super('objects were pruned or the default branch changed since the snapshot')
    this.name = 'StaleSnapshot'
  }
}

/**
 * Moves one ref by compare-and-swap inside the caller's transaction, with its log row and the repo's sequence number;
 * `moveRefs` alone calls it. Problems: `commit-conflict` (with `current_commit`) when the ref is not at `from`, `already-exists` when a new ref or
 * one that would be its folder is there, `state-conflict` for the default branch's deletion and one ref too many;
 * throws `StaleSnapshot`.
 */
export async function moveRef(tx: Tx, move: RefMove): Promise<void> {
  if (move.to === undefined) await deleteRow(tx, move)
  else if (move.from === undefined) await insertRow(tx, move, move.to)
  else await updateRow(tx, move, move.from, move.to)
  await raiseSeq(tx, move)
  await tx.q.insert(tx.t.git_ref_log).values({
    id: newId(),
    repo_id: move.repoId,
    name: move.name,
    old_oid: optional(move.from),
    new_oid: optional(move.to),
    user_id: move.userId ?? null,
    via: move.via,
    at: move.at,
  })
}

async function raiseSeq({ q, t: { git_repos } }: Tx, { repoId, pruneSeq }: RefMove): Promise<void> {
  const raised = await q
    .update(git_repos)
    .set({ ref_seq: sql`${git_repos.ref_seq} + 1` })
    .where(and(eq(git_repos.repo_id, repoId), eq(git_repos.prune_seq, pruneSeq)))
    .returning({ id: git_repos.repo_id })
  if (raised.length === 0) throw new StaleSnapshot()
}

async function insertRow(tx: Tx, move: RefMove, to: string): Promise<void> {
  const { q, t } = tx
  await refuseClash(tx, move)
  const [refs] = await q.select({ n: count() }).from(t.git_refs).where(eq(t.git_refs.repo_id, move.repoId))
  if ((refs?.n ?? 0) >= MAX_REFS) {
    throw new Problem('state-conflict', {
      detail: `A repo may have at most ${MAX_REFS} refs; delete some first.`,
    })
  }
  const made = await q
    .insert(t.git_refs)
    .values({ repo_id: move.repoId, name: move.name, ...newValues(move, to) })
    .onConflictDoNothing()
    .returning({ name: t.git_refs.name })
  if (made.length === 0) throw alreadyExists(move.name)
}

/** `packed-refs` and every clone on disk cannot hold `a` and `a/b`. */
async function refuseClash({ q, t: { git_refs } }: Tx, { repoId, name }: RefMove): Promise<void> {
  const parts = name.split('/')
  const above = parts.slice(2).map((_, i) => parts.slice(0, i + 2).join('/'))
  // `0` follows `/` in byte order, so this is every name below `name/`.
  const below = and(gte(git_refs.name, `${name}/`), lt(git_refs.name, `${name}0`))
  const [clash] = await q
    .select({ name: git_refs.name })
    .from(git_refs)
    .where(and(eq(git_refs.repo_id, repoId), or(inArray(git_refs.name, above), below)))
    .limit(1)
  if (clash) throw alreadyExists(clash.name)
}

async function updateRow(tx: Tx, move: RefMove, from: string, to: string): Promise<void> {
  const { git_refs } = tx.t
  const moved = await tx.q
    .update(git_refs)
    .set(newValues(move, to))
    .where(isAt(tx, move, from))
    .returning({ name: git_refs.name })
  if (moved.length === 0) throw await conflict(tx, move)
}

async function deleteRow(tx: Tx, move: RefMove): Promise<void> {
  const { q, t } = tx
  const [repo] = await q
    .select({ branch: t.repos.default_branch })
    .from(t.repos)
    .where(eq(t.repos.id, move.repoId))
  if (move.name === `refs/heads/${repo?.branch}`) {
    throw new Problem('state-conflict', { detail: 'The default branch cannot be deleted.' })
  }
  const gone = await q
    .delete(t.git_refs)
    .where(isAt(tx, move, move.from ?? ''))
    .returning({ name: t.git_refs.name })
  if (gone.length === 0) throw await conflict(tx, move)
}

function isAt({ t: { git_refs } }: Tx, { repoId, name }: RefMove, oid: string) {
  return and(eq(git_refs.repo_id, repoId), eq(git_refs.name, name), eq(git_refs.oid, oidFromHex(oid)))
}

function newValues({ peeled, at, userId }: RefMove, to: string) {
  return { oid: oidFromHex(to), peeled_oid: optional(peeled), updated_at: at, updated_by: userId ?? null }
}

async function conflict({ q, t: { git_refs } }: Tx, { repoId, name }: RefMove): Promise<Problem> {
  const [now] = await q
    .select({ oid: git_refs.oid })
    .from(git_refs)
    .where(and(eq(git_refs.repo_id, repoId), eq(git_refs.name, name)))
  return refMoved(now?.oid.toString('hex'))
}

/** The ref is not where the caller believed; `current` is where it is now. */
export function refMoved(current: string | undefined): Problem {
  return new Problem('commit-conflict', {
    detail: 'The branch has moved since you read it. Read it again and repeat the change.',
    members: { current_commit: current ?? null },
  })
}

function alreadyExists(name: string): Problem {
  return new Problem('already-exists', { detail: `The ref ${name} exists.` })
}

function optional(hex: string | undefined): Oid | null {
  return hex !== undefined && isHexOid(hex) ? oidFromHex(hex) : null
}
