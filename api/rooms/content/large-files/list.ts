import { and, desc, eq, lt, or } from 'drizzle-orm'
import type { Ctx } from '../../../core/ctx.ts'
import { pathsInHistory, type Snapshot } from '../../../core/git/index.ts'
import { requireRepo, type RepoAddress } from '../../repos/index.ts'
import { PointerWalk } from './pointer-walk.ts'
import { shortName } from '../refs/refs.ts'

/** A large file that a repo keeps: in one of its revisions, or since one that is gone. */
export interface LfsFile {
  sha256: string
  sizeBytes: number
  addedAt: Date
  /** One path that it has or had; absent when no commit was found in time. */
  path?: string
  /** Which has it at its head. */
  ref?: string
}

export interface LfsFilePosition {
  at: number
  sha256: string
}

// Heads that are looked through for the names of a page's files.
const MAX_HEADS = 50
/** For the names of what only earlier commits have; a history of 35 000 objects is read in about half a second. */
const MAX_HISTORY_MS = 10_000

/** A page of the large files a repo keeps, the latest first. Problems `repo-not-found`, `forbidden`. */
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
    ctx,
    await ctx.git.open(repo.id, ctx),
    page.map(({ sha256 }) => sha256),
  )
  const items = page.map((file) => ({ ...file, ...places.get(file.sha256) }))
  const last = page.at(-1)
  return rows.length > limit && last
    ? { items, next: { at: last.addedAt.getTime(), sha256: last.sha256 } }
    : { items }
}

/** Commits of the refs, the default branch's first. */
export function headsOf(snapshot: Snapshot): { commit: string; name: string }[] {
  const main = `refs/heads/${snapshot.defaultBranch}`
  return snapshot.listRefs().toSorted((a, b) => Number(b.name === main) - Number(a.name === main))
}

async function placesOf(
  { git, now, config, stopping, signal }: Ctx,
  snapshot: Snapshot,
  sha256s: string[],
): Promise<Map<string, Pick<LfsFile, 'path' | 'ref'>>> {
  const places = new Map<string, Pick<LfsFile, 'path' | 'ref'>>()
  const wanted = new Set(sha256s)
  const walk = new PointerWalk(snapshot)
  for (const head of headsOf(snapshot).slice(0, MAX_HEADS)) {
    if (wanted.size === 0) return places
    for await (const { pointer, path } of walk.from(head.commit, { history: false }))
      if (wanted.delete(pointer.sha256)) places.set(pointer.sha256, { path, ref: shortName(head) })
  }
  const keepSince = new Date(now().getTime() - config.gc.grace_period)
  const past = { keepSince, maxMs: MAX_HISTORY_MS, signal: AbortSignal.any([signal, stopping]) }
  for (const [sha256, path] of await pathsInHistory(git, snapshot, wanted, past)) places.set(sha256, { path })
  return places
}
