import { anonymous, type Actor } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { revisionFault } from '../../content/index.ts'
import { contextOf } from '../pull/asker.ts'
import { fetchInto } from '../pull/fetch-into.ts'
import { addSync } from '../queries.ts'
import { describeUpstream, requireStillOpen } from '../reading/describe.ts'
import { openRemote, resolveRemote } from '../reading/remote.ts'
import { bringOnce } from './bring-once.ts'
import type { ReadMirror } from './mirror-of.ts'

/** Branches, tags and whole commit ids; pull requests and conversions are each hub's own. */
const isFetchable = (name: string) =>
  revisionFault(name) === undefined && (!name.startsWith('refs/') || /^refs\/(?:heads|tags)\//.test(name))

/**
 * Fetches a revision of a mirror that is not here yet, once for all who ask. A branch or tag shows from then on, a commit
 * stays among those that are kept. `false` where the upstream has none such.
 */
export async function bringRevision(ctx: Ctx, read: ReadMirror, name: string): Promise<boolean> {
  if (!isFetchable(name)) return false
  const { mirror, repo, caller } = read
  const repoId = mirror.repo_id
  try {
    return await bringOnce(ctx, {
      key: `revision/${repoId}/${name}`,
      find: async () => ((await (await ctx.git.openFresh(repoId)).resolve(name)) ? true : undefined),
      bring: async () => {
        // Git does not tell a commit that is absent from other failures.
        const found = await describeUpstream(ctx, caller, repo, name, { sizes: false })
        requireStillOpen(caller, mirror, found)
        const { commit } = found
        const remote = await openRemote(ctx, caller, repo, { mustBeGit: mirror.fidelity === 'git' })
        const isCommit = /^[0-9a-f]{40}$/.test(name)
        const at = isCommit ? { commit } : await resolveRemote(ctx, remote, name)
        await fetchInto(await askerOf(ctx, read), remote, repoId, at, {
          history: 'shallow',
          signal: ctx.stopping,
          isVisible: true,
          alongside: (tx) =>
            addSync(tx, { repo_id: repoId, commit: at.commit, synced_at: ctx.now(), job_id: null }),
        })
      },
    })
  } catch (error) {
    const isDenied = error instanceof Problem && ['not-found', 'revision-not-found'].includes(error.code)
    if (isDenied) return false
    throw error
  }
}

/** Whose rights count for large files that are here already: everybody's, or those of the person whose mirror it is. */
export const askerOf = (ctx: Ctx, { mirror }: Pick<ReadMirror, 'mirror'>): Promise<Ctx> =>
  mirror.read_by === null
    ? Promise.resolve({ ...ctx, actor: anonymous as Actor })
    : contextOf(ctx, mirror.read_by)
