import type { Ctx } from '../../../core/ctx.ts'
import {
  compactWhenDue,
  forgetHistory,
  gitIndex,
  inspect,
  judgePaths,
  landPush,
  PackRefused,
  quotePath,
  withFresh,
  withIncoming,
  type Incoming,
  type Snapshot,
  type Spooled,
} from '../../../core/git/index.ts'
import { enqueue } from '../../../core/jobs/index.ts'
import { findUsable, linkPointers, markAbsent, type Pointer } from '../../../core/lfs/index.ts'
import { Problem } from '../../../platform/problems/index.ts'
import type { Tx } from '../../../stores/db/index.ts'
import { refusalOf } from '../push/content.ts'
import { requireQuota } from '../../repos/index.ts'

/** Commits of another hub on their way into the repo that mirrors it. */
export interface Fetched {
  /** Absent where everything is here already. */
  pack?: Spooled
  /** The refs that lead to them, by full name, and what each leads to. */
  refs: { name: string; oid: string }[]
  /** Commits whose parents the upstream left out, and former ones whose parents have now come. */
  shallow: readonly string[]
  unshallow: readonly string[]
  signal: AbortSignal
  /** Further rows of the transaction that makes them visible. */
  alongside?: (tx: Tx) => Promise<void>
}

/**
 * Lands what was fetched from an upstream: as a push, but that its large files need not be here. Those that the caller may
 * use anyway are linked; the others are listed without their bytes. Problems `validation-failed` for what this hub cannot
 * hold, `quota-exceeded`.
 */
export async function landFetched(ctx: Ctx, repoId: string, fetched: Fetched): Promise<void> {
  const { signal, pack } = fetched
  await withFresh(ctx.git, repoId, (snapshot) => {
    const shallow = new Set([...snapshot.shallow, ...fetched.shallow])
    for (const oid of fetched.unshallow) shallow.delete(oid)
    return withIncoming(
      ctx.git,
      snapshot,
      signal,
      async (incoming) => {
        const tips = fetched.refs.map(({ oid }) => oid)
        const taken = pack && pack.sizeBytes > 0 ? await incoming.take(pack, tips, 'upstream') : undefined
        await dropJoined(snapshot, incoming, shallow)
        await land(ctx, { ...fetched, snapshot, incoming, taken, shallow })
      },
      shallow,
    )
  }).catch((error: unknown) => {
    throw error instanceof PackRefused ? refused(error.message) : error
  })
}

/** A commit whose parents are here after all continues their history. */
async function dropJoined(snapshot: Snapshot, incoming: Incoming, shallow: Set<string>): Promise<void> {
  for (const oid of shallow) {
    const parents = await incoming.objects.parentsOf(oid)
    if (!parents) shallow.delete(oid)
    else {
      const found = await Promise.all(parents.map((parent) => snapshot.findCommit(parent)))
      if (parents.length > 0 && found.every((commit) => commit)) shallow.delete(oid)
    }
  }
}

interface Taken extends Omit<Fetched, 'shallow'> {
  snapshot: Snapshot
  incoming: Incoming
  taken: Awaited<ReturnType<Incoming['take']>>
  shallow: Set<string>
}

async function land(ctx: Ctx, fetched: Taken): Promise<void> {
  const { snapshot, incoming, taken, shallow, unshallow, refs, alongside } = fetched
  const { repoId } = snapshot
  const tips = [...new Set(refs.map(({ oid }) => oid))]
  const peeled = await incoming.peel(tips)
  const moves = refs.flatMap(({ name, oid }) => {
    const from = snapshot.findRef(name)?.oid
    const commit = peeled.get(oid)?.commit
    if (commit === undefined) throw refused(`${name} does not lead to a commit`)
    if (from === oid) return []
    return [
      {
        name,
        to: oid,
        ...(from === undefined ? {} : { from }),
        ...(commit === oid ? {} : { peeled: commit }),
      },
    ]
  })
  const { badPath, ...found } = await inspect(incoming, tips, ctx.config.git.max_blob_size)
  const refusal = refusalOf(ctx, found, undefined)
  if (refusal) throw refused([refusal.reason, ...(refusal.lines ?? [])].join('\n'))
  const pointers = [...found.pointers.values()]
  const checkQuota = await requireQuota(ctx, repoId, { bytes: taken?.sizeBytes ?? 0 })
  const here = await usable(ctx, pointers)
  const rows = (later: string[]) => async (tx: Tx) => {
    const gone = await linkPointers(tx, repoId, here, ctx.now())
    const lacking = [...pointers.filter((pointer) => !here.includes(pointer)), ...gone]
    await markAbsent(tx, repoId, lacking, ctx.now())
    await checkQuota?.(tx)
    // Entered while their parents were not here.
    if (unshallow.length > 0) await forgetHistory(tx, repoId)
    for (const ref of later) {
      const once = { dedupKey: `${repoId}/${ref}`, repoId, createdBy: null }
      await enqueue(tx, ctx, gitIndex, { repo_id: repoId, ref }, once)
    }
    await compactWhenDue(tx, ctx, repoId)
    await alongside?.(tx)
  }
  if (moves.length === 0 && !taken) return ctx.db.write(rows([]))
  await landPush(ctx.git, snapshot, {
    moves,
    via: 'mirror',
    ...(isSame(shallow, snapshot.shallow) ? {} : { shallow }),
    ...(taken ? { pack: taken } : {}),
    prepare: async (landed, later) => {
      const bad = await badPathsOf(landed, new Set(moves.map(({ to, peeled }) => peeled ?? to)))
      if (badPath) bad.add(`${quotePath(badPath.path)} ${badPath.message}`)
      if (bad.size > 0) throw refused([...bad].join('; '))
      return rows(later)
    },
  })
}

/** What an error names of the paths that cannot be addressed here. */
const MAX_NAMED = 20

/** Paths of commits that cannot be addressed here, and why. */
async function badPathsOf(landed: Snapshot, commits: Iterable<string>): Promise<Set<string>> {
  const named = new Set<string>()
  // What is here was looked at before.
  const since = landed.findRef(`refs/heads/${landed.defaultBranch}`)?.commit
  for (const commit of commits) {
    const { bad } = await judgePaths(landed, commit, since, { mostBad: MAX_NAMED })
    for (const { path, fault } of bad) named.add(`${quotePath(path)} ${fault.message}`)
  }
  return named
}

const isSame = (one: ReadonlySet<string>, other: ReadonlySet<string>) =>
  one.size === other.size && [...one].every((oid) => other.has(oid))

/** The pointers whose bytes are here and the caller's to use: knowing a hash alone gives no right to them. */
async function usable(ctx: Ctx, pointers: Pointer[]): Promise<Pointer[]> {
  const found = await findUsable(
    ctx.db,
    ctx,
    pointers.map(({ sha256 }) => sha256),
  )
  return pointers.filter(({ sha256, sizeBytes }) => found.get(sha256)?.size === sizeBytes)
}

const refused = (reason: string) =>
  new Problem('validation-failed', { detail: `The upstream's commits cannot be kept here: ${reason}` })
