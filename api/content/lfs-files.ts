import { and, desc, eq, lt, or } from 'drizzle-orm'
import type { Ctx } from '../ctx.ts'
import { pointersInHistory, type Snapshot } from '../git/index.ts'
import { forgetObjects } from '../lfs/index.ts'
import { Problem } from '../problems/index.ts'
import { auditRepo, requireRepo, requireRepoToChange, type RepoAddress } from '../repos/index.ts'
import { PointerWalk } from './pointer-walk.ts'
import { shortName } from './refs.ts'

/** A large file that a Repo keeps: in one of its revisions, or since one that is gone. */
export interface LfsFile {
  sha256: string
  sizeBytes: number
  addedAt: Date
  /** Where a ref has it at its head; absent when only earlier commits do, or none. */
  path?: string
  ref?: string
}

export interface LfsFilePosition {
  at: number
  sha256: string
}

// Heads that are looked through for the names of a page's files.
const MAX_HEADS = 50
const MAX_ATTEMPTS = 3

/** A page of the large files a Repo keeps, the latest first. Problems `repo-not-found`, `forbidden`. */
export async function listLfsFiles(
  ctx: Ctx,
  address: RepoAddress,
  { after, limit }: { after?: LfsFilePosition | undefined; limit: number },
): Promise<{ items: LfsFile[]; next?: LfsFilePosition }> {
  const repo = await requireRepo(ctx, address, 'repo.commit')
  const { lfs_links: l, lfs_objects: o } = ctx.db.t
  const at = new Date(after?.at ?? 0)
  const rows = await ctx.db.q
    .select({ sha256: l.sha256, sizeBytes: o.size, addedAt: l.added_at })
    .from(l)
    .innerJoin(o, eq(o.sha256, l.sha256))
    .where(
      and(
        eq(l.repo_id, repo.id),
        after && or(lt(l.added_at, at), and(eq(l.added_at, at), lt(l.sha256, after.sha256))),
      ),
    )
    .orderBy(desc(l.added_at), desc(l.sha256))
    .limit(limit + 1)
  const page = rows.slice(0, limit)
  const places = await placesOf(
    await ctx.git.open(repo.id),
    page.map(({ sha256 }) => sha256),
  )
  const items = page.map((file) => ({ ...file, ...places.get(file.sha256) }))
  const last = page.at(-1)
  return rows.length > limit && last
    ? { items, next: { at: last.addedAt.getTime(), sha256: last.sha256 } }
    : { items }
}

/** Commits of the refs, the default branch's first. */
function headsOf(snapshot: Snapshot): { commit: string; name: string }[] {
  const main = `refs/heads/${snapshot.defaultBranch}`
  return snapshot.listRefs().toSorted((a, b) => Number(b.name === main) - Number(a.name === main))
}

async function placesOf(
  snapshot: Snapshot,
  sha256s: string[],
): Promise<Map<string, { path: string; ref: string }>> {
  const places = new Map<string, { path: string; ref: string }>()
  const wanted = new Set(sha256s)
  const walk = new PointerWalk(snapshot)
  for (const head of headsOf(snapshot).slice(0, MAX_HEADS)) {
    if (wanted.size === 0) break
    for await (const { pointer, path } of walk.from(head.commit, { history: false }))
      if (wanted.delete(pointer.sha256)) places.set(pointer.sha256, { path, ref: shortName(head) })
  }
  return places
}

/**
 * Problem `state-conflict` when a commit that some ref leads to needs one of the files. Git looks through the history,
 * for `git.timeout` at most; it is walked here only to where one is found, for its path.
 */
async function refuseNeeded({ git, stopping }: Ctx, snapshot: Snapshot, sha256s: Set<string>): Promise<void> {
  const needed = await pointersInHistory(git, snapshot, stopping)
  if (![...sha256s].some((sha256) => needed.has(sha256))) return
  const walk = new PointerWalk(snapshot)
  for (const head of headsOf(snapshot))
    for await (const { pointer, path } of walk.from(head.commit, { history: true }))
      if (sha256s.has(pointer.sha256))
        throw new Problem('state-conflict', {
          detail:
            `"${path}" in the history of ${shortName(head)} is ${pointer.sha256}. ` +
            'Delete the file, squash the history of every branch that had it, then delete it for good.',
        })
}

/**
 * Gives up large files that no commit of any ref needs any more: this Repo serves them no longer, and `gc` deletes bytes
 * that no other Repo keeps. History is never rewritten, since a commit whose files are gone could not be checked out.
 * What the Repo does not keep is passed over. Problems `repo-not-found`, `forbidden`, `state-conflict`.
 */
export async function deleteLfsFiles(ctx: Ctx, address: RepoAddress, sha256s: string[]): Promise<void> {
  const { id } = await requireRepo(ctx, address, 'repo.delete')
  for (let attempt = 1; ; attempt++) {
    const snapshot = await ctx.git.openFresh(id)
    await refuseNeeded(ctx, snapshot, new Set(sha256s))
    const isDone = await ctx.db.write(async (tx) => {
      const repo = await requireRepoToChange(tx, ctx, address, 'repo.delete')
      const { repos } = tx.t
      const isAsSeen = and(eq(repos.id, id), eq(repos.ref_seq, snapshot.refSeq))
      if (repo.id !== id || (await tx.q.$count(repos, isAsSeen)) === 0) return false
      const gone = await forgetObjects(tx, id, sha256s)
      if (gone.length > 0) await auditRepo(tx, ctx, 'repo.lfs.delete', repo, { before: { sha256s: gone } })
      return true
    })
    if (isDone) return
    if (attempt === MAX_ATTEMPTS)
      throw new Problem('temporarily-unavailable', { detail: 'Its refs are moving.', retryAfterS: 5 })
  }
}
