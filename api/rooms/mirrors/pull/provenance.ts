import type { Ctx } from '../../../core/ctx.ts'
import type { Tx } from '../../../stores/db/index.ts'
import type { Caller } from '../../upstreams/index.ts'
import type { UpstreamRepo } from '../reading/describe.ts'
import type { PulledFile } from './progress.ts'

/** From where files come, and into which repo. */
export interface PullSource {
  caller: Caller
  repo: UpstreamRepo
  /** 40-hex, the same there and here. */
  commit: string
  repoId: string
  /** The context of the person who asked, with the rights they have now. */
  asker: Ctx
}

/** Notes where the bytes of a large file came from. */
export async function addProvenance(
  { q, t: { mirror_provenance: p } }: Tx,
  { caller, repo, commit, repoId, asker }: PullSource,
  { path, sha256, sizeBytes }: PulledFile,
  { ctx, jobId, verified }: { ctx: Ctx; jobId: string | null; verified: 'sha256' | 'linked' },
): Promise<void> {
  await q
    .insert(p)
    .values({
      repo_id: repoId,
      path,
      sha256,
      size: sizeBytes,
      upstream: caller.upstream.id,
      upstream_repo: repo.name,
      commit,
      fetched_at: ctx.now(),
      job_id: jobId,
      user_id: asker.actor.kind === 'user' ? asker.actor.id : null,
      verified,
    })
    .onConflictDoNothing()
}
