import type { MirrorHistory } from '../../../../shared/vocabulary.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { HIDDEN_REFS } from '../../../core/git/index.ts'
import { Problem } from '../../../platform/problems/index.ts'
import type { Tx } from '../../../stores/db/index.ts'
import { landFetched } from '../../content/index.ts'
import { unavailable, type Caller } from '../../upstreams/index.ts'
import type { UpstreamRepo } from '../reading/describe.ts'
import { openRemote, type RemoteRepo } from '../reading/fetch-commits.ts'

/** A revision of an upstream's repo, as its git names it. */
export interface RemoteRevision {
  /** 40-hex of the commit. */
  commit: string
  /** Branch or tag that it is, by full name, and what that leads to; absent for a commit id. */
  ref?: { name: string; oid: string }
}

/** Opens an upstream's repo by git. Problem `upstream-unavailable` where it has none. */
export async function requireRemote(ctx: Ctx, caller: Caller, repo: UpstreamRepo): Promise<RemoteRepo> {
  const remote = await openRemote(ctx, caller, repo)
  if (remote) return remote
  throw unavailable(caller.upstream, new Error('It does not offer its repos by git (protocol v2).'))
}

/** What a branch, tag or commit id is at the upstream. Problem `revision-not-found`. */
export async function resolveRemote(remote: RemoteRepo, revision: string): Promise<RemoteRevision> {
  if (/^[0-9a-f]{40}$/.test(revision)) return { commit: revision }
  const names = revision.startsWith('refs/')
    ? [revision]
    : [`refs/heads/${revision}`, `refs/tags/${revision}`]
  const refs = await remote.listRefs(names)
  for (const name of names) {
    const found = refs.find((ref) => ref.name === name)
    if (found) return { commit: found.peeled ?? found.oid, ref: { name, oid: found.oid } }
  }
  throw new Problem('revision-not-found', { detail: `The upstream has no revision ${revision}.` })
}

export interface FetchOptions {
  history: MirrorHistory
  signal: AbortSignal
  /** Whether the branch or tag is made visible at once; else the commit lies under a hidden ref. */
  isVisible: boolean
  /** The branch that a new repo begins with, where the revision is none. */
  firstBranch?: string
  alongside?: (tx: Tx) => Promise<void>
}

/** The hidden ref that keeps a commit of an upstream. */
export const hiddenRef = (commit: string): string => `${HIDDEN_REFS}/${commit}`

/**
 * Brings a commit into a repo, with all it leads to but large files. Where it is here already nothing is fetched, unless
 * the whole history is wanted and only a part is here.
 */
export async function fetchInto(
  ctx: Ctx,
  remote: RemoteRepo,
  repoId: string,
  at: RemoteRevision,
  { history, signal, isVisible, firstBranch, alongside }: FetchOptions,
): Promise<void> {
  const snapshot = await ctx.git.openFresh(repoId)
  const refs = [{ name: hiddenRef(at.commit), oid: at.commit }]
  if (isVisible && at.ref) refs.push(at.ref)
  if (firstBranch !== undefined) refs.push({ name: `refs/heads/${firstBranch}`, oid: at.commit })
  const isHere = (await snapshot.findCommit(at.commit)) !== undefined
  const isWhole = history === 'shallow' || (isHere && snapshot.shallow.size === 0)
  const wants = [...new Set(refs.map(({ oid }) => oid))]
  const lists = { shallow: [], unshallow: [] }
  if (isHere && isWhole && (!at.ref || at.ref.oid === at.commit))
    return landFetched(ctx, repoId, { refs, signal, ...lists, ...(alongside && { alongside }) })
  const heads = [...new Set(snapshot.listRefs().map(({ commit }) => commit))]
  const fetched = await remote.fetch({
    wants,
    // An older commit is one that the server believes to be here with what came after it, so a sync alone names what it has.
    haves: isVisible && history === 'shallow' ? [] : heads,
    // Named only where what lies behind them is wanted: else a server would send that as well.
    shallow: history === 'full' ? snapshot.shallow : [],
    ...(history === 'shallow' ? { depth: 1 } : {}),
  })
  try {
    await landFetched(ctx, repoId, { ...fetched, refs, signal, ...(alongside && { alongside }) })
  } finally {
    await fetched.pack.dispose()
  }
}
