import type { Ctx } from '../../../core/ctx.ts'
import { audit } from '../../../core/events/index.ts'
import type { Tx } from '../../../stores/db/index.ts'
import { ensureMirrorNamespace } from '../../namespaces/index.ts'
import { createRepo } from '../../repos/index.ts'
import { addSync, findMirror, type MirrorRow } from '../queries.ts'
import type { UpstreamRevision } from '../reading/describe.ts'
import type { Remote, RemoteRevision } from '../reading/remote.ts'
import { isEmptySelection } from '../selection/select.ts'
import { firstSync } from '../settings/next-sync.ts'
import type { Target } from './target.ts'
import type { PullInput } from './ticket.ts'

/** What a mirror is to follow, and who wants it. */
export type MirrorWish = Pick<
  PullInput,
  'upstream' | 'type' | 'revision' | 'tracking' | 'history' | 'selection' | 'user_id'
>

/** A mirror that is to be made. */
export interface NewMirror {
  input: MirrorWish
  found: Pick<UpstreamRevision, 'name' | 'isRestricted'>
  target: Target
  at: RemoteRevision
  fidelity: Remote['fidelity']
  /** No large file is wanted, so that all is here with the commit. */
  isComplete?: true
}

type WriteCommits = (repoId: string, branch: string, reveal: (tx: Tx) => Promise<void>) => Promise<unknown>

/** Makes the repo, with the upstream's commits for its own: all of it, or nothing. */
export async function makeMirror(ctx: Ctx, made: NewMirror, write: WriteCommits): Promise<MirrorRow> {
  const { input, found, target, at } = made
  const { ns, name, visibility } = target
  if (target.isMirrorNamespace) await ensureMirrorNamespace(ctx, { ns, upstream: input.upstream })
  const branch = /^refs\/heads\/(.+)$/.exec(at.ref?.name ?? '')?.[1] ?? 'main'
  const repo = await createRepo(
    ctx,
    { type: input.type, ns, name, visibility, defaultBranch: branch },
    async (_, first) => {
      await write(first.repo.id, first.branch, async (tx) => {
        await first.reveal(tx)
        await addMirror(tx, ctx, first.repo.id, made)
      })
    },
  )
  const row = await findMirror(ctx.db, repo.id)
  if (!row) throw new Error(`the mirror ${repo.id} has no row`)
  ctx.log.info({ repo: repo.id, upstream: input.upstream, of: found.name }, 'a mirror was made')
  return row
}

async function addMirror(
  tx: Tx,
  ctx: Ctx,
  repoId: string,
  { input, found, at, target, isComplete, fidelity }: NewMirror,
): Promise<void> {
  const { upstream, revision, tracking, history, selection, user_id } = input
  const now = ctx.now()
  const row: MirrorRow = {
    repo_id: repoId,
    upstream,
    upstream_repo: found.name,
    upstream_key: found.name.toLowerCase(),
    revision,
    selection: isEmptySelection(selection) ? {} : selection,
    tracking,
    history,
    schedule: null,
    fidelity,
    state: isComplete ? 'idle' : 'syncing',
    error: null,
    gone_since: null,
    upstream_commit: at.commit,
    local_commit: isComplete ? at.commit : null,
    last_sync_at: isComplete ? now : null,
    next_sync_at: firstSync(
      ctx,
      {
        repo_id: repoId,
        tracking,
      },
      now,
    ),
    read_by: found.isRestricted ? user_id : null,
    created_by: user_id,
    created_at: now,
  }
  await tx.q.insert(tx.t.mirrors).values(row)
  if (isComplete) await addSync(tx, { repo_id: repoId, commit: at.commit, synced_at: now, job_id: null })
  await audit(tx, ctx, {
    action: 'mirror.create',
    target: { type: 'repo', id: repoId, name: `${target.ns}/${target.name}` },
    after: { upstream, repo: found.name, revision },
  })
}
