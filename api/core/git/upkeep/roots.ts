import { and, eq, gte, isNotNull, or } from 'drizzle-orm'
import { fromChunks } from '../../../stores/storage/index.ts'
import type { Git } from '../git.ts'
import { oidFromHex } from '../objects/oid.ts'
import type { Snapshot } from '../snapshot.ts'

/** What keeps objects of a repo, 40-hex. */
export interface Roots {
  /** What refs lead to, and what pull requests were compared by. */
  lasting: string[]
  /** What refs have led to since a moment. */
  passing: string[]
}

/** A ref has moved, or packs were joined, since the snapshot: what is unreachable must be found again. */
export class Overtaken extends Error {}

/**
 * The roots of a repo's objects (git-storage.md §7): its refs, all that a ref has led to since `keepSince`, and the commits
 * of pull requests that no ref needs to lead to any more. Of those but the refs some may have gone earlier.
 * Throws `Overtaken`.
 */
export async function rootsOf(git: Git, snapshot: Snapshot, keepSince: Date): Promise<Roots> {
  const { q, t } = git.deps.db
  const { git_ref_log: log, discussions: d } = t
  const { repoId } = snapshot
  const refs = snapshot.listRefs().map(({ oid }) => oid)
  const pulls = await q
    .select({ opened: d.base_oid, base: d.merged_base_oid, head: d.merged_head_oid })
    .from(d)
    .where(and(eq(d.repo_id, repoId), or(isNotNull(d.base_oid), isNotNull(d.merged_head_oid))))
  const moves = await q
    .select({ from: log.old_oid, to: log.new_oid })
    .from(log)
    .where(and(eq(log.repo_id, repoId), gte(log.at, keepSince)))
  // Later moves lead to what the snapshot does not hold.
  const now = await git.open(repoId)
  if (now.refSeq !== snapshot.refSeq || now.pruneSeq !== snapshot.pruneSeq) throw new Overtaken()
  const ofPulls = pulls.flatMap(({ opened, base, head }) => [opened, base, head])
  const ofMoves = moves.flatMap(({ from, to }) => [from, to])
  const lasting = new Set([...refs, ...(await presentOf(snapshot, ofPulls))])
  const passing = (await presentOf(snapshot, ofMoves)).filter((oid) => !lasting.has(oid))
  return { lasting: [...lasting], passing }
}

/** Those of the oids that the repo holds, once each. */
export async function presentOf(snapshot: Snapshot, oids: (Buffer | null)[]): Promise<string[]> {
  const present: string[] = []
  for (const hex of new Set(oids.flatMap((oid) => oid?.toString('hex') ?? [])))
    if (await snapshot.reader.stat(oidFromHex(hex))) present.push(hex)
  return present
}

/** Whether one of `tips`, or a commit below them, is no part of what `roots` lead to. `dir` is a layout of the repo. */
export async function leadFurther(
  git: Git,
  dir: string,
  { tips, roots, signal }: { tips: string[]; roots: string[]; signal?: AbortSignal },
): Promise<boolean> {
  if (tips.length === 0) return false
  const stdin = fromChunks(Buffer.from([...tips, ...roots.map((oid) => `^${oid}`), ''].join('\n')))
  const args = ['rev-list', '--max-count=1', '--stdin']
  const found = await git.runner.run({ dir, args, stdin, ...(signal && { signal }) })
  return found.length > 0
}
