import type { MirrorHistory } from '../../../../shared/vocabulary.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { HIDDEN_REFS, type Snapshot } from '../../../core/git/index.ts'
import { Problem } from '../../../platform/problems/index.ts'
import type { Tx } from '../../../stores/db/index.ts'
import { landFetched } from '../../content/index.ts'
import type { Remote, RemoteRevision } from '../reading/remote.ts'
import { makeSnapshot } from './make-snapshot.ts'

export interface FetchOptions {
  history: MirrorHistory
  signal: AbortSignal
  /** Whether the branch or tag is made visible at once; else the commit lies under a hidden ref. */
  isVisible: boolean
  /** The branch that a new repo begins with, where the revision is none. */
  firstBranch?: string
  alongside?: (tx: Tx) => Promise<void>
}

/** What was brought, as it is here. */
export interface Fetched extends RemoteRevision {
  /** What was wanted and did not come, in words. */
  warning?: string
}

/** The hidden ref that keeps a commit of an upstream. */
export const hiddenRef = (commit: string): string => `${HIDDEN_REFS}/${commit}`

/**
 * Brings a commit of an upstream into a repo, with all it leads to but large files, and answers what it is here. Where it
 * is here already nothing is fetched, unless the whole history is wanted and only a part is here.
 */
export async function fetchInto(
  ctx: Ctx,
  remote: Remote,
  repoId: string,
  at: RemoteRevision,
  options: FetchOptions,
): Promise<Fetched> {
  const snapshot = await ctx.git.openFresh(repoId)
  if (remote.fidelity === 'snapshot') return snapshotInto(ctx, remote, snapshot, at, options)
  const { history, signal, isVisible, alongside } = options
  const refs = refsFor(at, at, options)
  const isHere = (await snapshot.findCommit(at.commit)) !== undefined
  const isWhole = history === 'shallow' || (isHere && snapshot.shallow.size === 0)
  const landing = { refs, signal, ...(alongside && { alongside }) }
  if (isHere && isWhole && (!at.ref || at.ref.oid === at.commit)) {
    await landFetched(ctx, repoId, { ...landing, shallow: [], unshallow: [] })
    return at
  }
  const heads = [...new Set(snapshot.listRefs().map(({ commit }) => commit))]
  const isFull = history === 'full'
  const fetched = await remote.git.fetch({
    wants: [...new Set(refs.map(({ oid }) => oid))],
    // An older commit is one that the server believes to be here with what came after it, so a sync alone names what it has.
    haves: isVisible && !isFull ? [] : heads,
    // Named only where what lies behind them is wanted: else a server would send that as well.
    shallow: isFull ? snapshot.shallow : [],
    ...(isFull ? {} : { depth: 1 }),
  })
  if (typeof fetched === 'string') {
    const limit = limitOf(ctx, fetched)
    if (!isFull) throw new Problem('validation-failed', { detail: `The commit is ${limit}.` })
    const warning = `The whole history is ${limit}. It begins with the commit that was pulled.`
    return { ...(await fetchInto(ctx, remote, repoId, at, { ...options, history: 'shallow' })), warning }
  }
  try {
    await landFetched(ctx, repoId, { ...fetched, ...landing })
  } finally {
    await fetched.pack.dispose()
  }
  return at
}

const limitOf = ({ config: { git } }: Ctx, limit: 'too-large' | 'too-slow') =>
  limit === 'too-large'
    ? `larger than git.max_pack_size, ${git.max_pack_size} bytes`
    : `not here within git.timeout, ${Math.round(git.timeout / 1000)} s`

/** As `fetchInto`, where the commit is made here. One that was made before is made no second time. */
async function snapshotInto(
  ctx: Ctx,
  remote: Remote,
  snapshot: Snapshot,
  at: RemoteRevision,
  options: FetchOptions,
): Promise<Fetched> {
  const { signal, alongside } = options
  const known = await snapshot.resolve(at.commit)
  // A branch goes on here as its syncs follow each other; other commits stand alone.
  const head = at.ref && snapshot.findRef(at.ref.name)?.commit
  const parents = head === undefined ? [] : [head]
  const made = known ?? (await makeSnapshot(ctx, remote, snapshot, { commit: at.commit, parents, signal }))
  const here = { commit: made.commit, ...(at.ref && { ref: { name: at.ref.name, oid: made.commit } }) }
  const pack = 'pack' in made ? made.pack : undefined
  const landing = { refs: refsFor(at, here, options), signal, shallow: [], unshallow: [] }
  try {
    await landFetched(ctx, snapshot.repoId, {
      ...landing,
      ...(pack && { pack }),
      ...(alongside && { alongside }),
    })
  } finally {
    await pack?.dispose()
  }
  if (options.history === 'shallow') return here
  const { name } = remote.caller.upstream
  return {
    ...here,
    warning: `${name} has no git, so that the history begins with the commit that was pulled.`,
  }
}

/** The refs that lead to a commit: its hidden one, by the upstream's id, and those that show it. */
function refsFor(
  { commit }: RemoteRevision,
  here: RemoteRevision,
  { isVisible, firstBranch }: FetchOptions,
): { name: string; oid: string }[] {
  const refs = [{ name: hiddenRef(commit), oid: here.commit }]
  if (isVisible && here.ref) refs.push(here.ref)
  if (firstBranch !== undefined) refs.push({ name: `refs/heads/${firstBranch}`, oid: here.commit })
  return refs
}
