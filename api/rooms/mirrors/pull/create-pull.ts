import { requireAccount, requireScope } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { audit } from '../../../core/events/index.ts'
import type { JobRow } from '../../../core/jobs/index.ts'
import { invalidField, Problem } from '../../../platform/problems/index.ts'
import { requireDiskSpace } from '../../../stores/storage/index.ts'
import { requireUpstream, tokenFor } from '../../upstreams/index.ts'
import { revisionFault } from '../../content/index.ts'
import { planDataset } from '../../datasets/index.ts'
import { describeUpstream, type UpstreamRevision } from '../reading/describe.ts'
import { isEmptySelection, namesParts, selectFiles } from '../selection/select.ts'
import { chooseTarget } from './target.ts'
import { queuePull, type PullInput } from './ticket.ts'

/** What a person asks to pull. */
export type PullWish = Omit<PullInput, 'user_id' | 'depth' | 'root' | 'chain'>

/**
 * Queues a pull, once it is clear that it can begin: the upstream has the repo and lets it be read, the files that are wanted
 * exist, there is a place for them. Problems: `not-found`, `gated`, `name-taken`, `forbidden`, `validation-failed`,
 * `storage-full`, those of the upstream.
 */
export async function createPull(ctx: Ctx, wish: PullWish): Promise<JobRow> {
  // Outside its fence a token is anonymous, and the upstream's own name lies outside of every fence.
  const user =
    wish.target_ns === undefined ? requireAccount(ctx.actor, 'write') : requireScope(ctx.actor, 'write')
  const fault = revisionFault(wish.revision)
  if (fault !== undefined) throw invalidField('revision', fault, 'invalid')
  const upstream = await requireUpstream(ctx, wish.upstream)
  const { token } = await tokenFor(ctx, upstream, user.id)
  const found = await describeUpstream(ctx, { upstream, token, signal: ctx.signal }, wish, wish.revision)
  const target = await chooseTarget(ctx, upstream, {
    type: wish.type,
    name: found.name,
    isRestricted: found.isRestricted,
    targetNs: wish.target_ns,
    visibility: wish.visibility,
  })
  const bytes = await requireFiles(wish, found)
  await requireDiskSpace(ctx.blobs, bytes, 'The pull')
  const input: PullInput = { ...wish, name: found.name, user_id: user.id, depth: 0 }
  return ctx.db.write(async (tx) => {
    const job = await queuePull(tx, ctx, input, { repoId: target.mirror?.repo_id })
    await audit(tx, ctx, {
      action: 'pull.create',
      target: { type: 'job', id: job.id, name: `${target.ns}/${target.name}` },
      after: { upstream: upstream.id, repo: found.name, revision: wish.revision },
    })
    return job
  })
}

/** The bytes of the large files that are wanted. Problem `validation-failed` where something is wanted and nothing matches. */
async function requireFiles(
  { selection, name, type }: PullWish,
  { files, card }: UpstreamRevision,
): Promise<number> {
  const large = files.filter(({ sha256 }) => sha256 !== undefined)
  const ofParts = namesParts(selection)
  if (ofParts && type === 'model')
    throw new Problem('validation-failed', {
      detail: 'Models have no configs and splits. Select their files by include or quants.',
      errors: [{ field: 'selection', code: 'invalid', message: 'models have no configs and splits' }],
    })
  // Without its card, what a dataset consists of is known once its files are here.
  const paths = files.map(({ path }) => path)
  const plan = ofParts && card ? await planDataset({ paths, name: nameOf(name), matter: card }) : undefined
  const wanted = selectFiles(large, selection, plan)
  const isOpen = ofParts && !plan
  if (!isEmptySelection(selection) && !selection.all && !isOpen && wanted.length === 0)
    throw new Problem('validation-failed', {
      detail: `No large file of ${name} matches the selection. Small files always come, without being selected.`,
      errors: [{ field: 'selection', code: 'no-match', message: 'no large file matches' }],
    })
  return wanted.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
}

const nameOf = (fullName: string) => fullName.split('/').at(-1) ?? fullName
