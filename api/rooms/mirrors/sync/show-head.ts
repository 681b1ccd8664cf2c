import type { Ctx } from '../../../core/ctx.ts'
import { moveRefs, withFresh } from '../../../core/git/index.ts'
import type { Tx } from '../../../stores/db/index.ts'
import type { RemoteRevision } from '../reading/remote.ts'

/** The transaction of a job; one of its own when left out. */
type Write = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>

/** Moves the branch or tag that is followed to a commit that is here. Also where the upstream has rewritten its history: a mirror follows. */
export async function showHead(ctx: Ctx, repoId: string, at: RemoteRevision, write?: Write): Promise<void> {
  await withFresh(ctx.git, repoId, async (snapshot) => {
    const name = at.ref?.name ?? `refs/heads/${snapshot.defaultBranch}`
    const oid = at.ref?.oid ?? at.commit
    const from = snapshot.findRef(name)?.oid
    if (from === oid) return
    const peeled = oid === at.commit ? {} : { peeled: at.commit }
    const moves = [{ name, to: oid, ...peeled, ...(from === undefined ? {} : { from }) }]
    await moveRefs(ctx.git, { snapshot, moves, via: 'mirror' }, write ? { write } : {})
  })
}
