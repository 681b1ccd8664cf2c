import { actorId, hasScope, policyOf } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { requireRepoById } from '../../repos/index.ts'
import type { AttachmentType } from '../../../../shared/vocabulary.ts'
import { findAttachment, reposThatShow, type AttachmentRow } from './queries.ts'

/** An image that the caller may see. */
export interface OpenedAttachment {
  id: string
  type: AttachmentType
  sizeBytes: number
  createdAt: Date
  /** Anybody may see it. */
  isPublic: boolean
}

/**
 * An image, for its uploader and for all who may read one of the threads that show it. What is hidden answers as absent:
 * Problem `not-found`, or `unauthenticated` to a stranger where strangers see nothing.
 */
export async function openAttachment(ctx: Ctx, name: string): Promise<OpenedAttachment> {
  const [id = '', type] = name.split('.')
  const found = await findAttachment(ctx.db, id)
  if (found && found.type === type) {
    const seen = await seenThrough(ctx, found)
    const { size: sizeBytes, created_at: createdAt } = found
    if (seen && found.corrupt_at)
      throw new Problem('store-unavailable', {
        detail: 'The bytes of this image are damaged. Its author must upload it again.',
        retryAfterS: 60,
      })
    if (seen) return { id, type, sizeBytes, createdAt, isPublic: seen === 'everybody' }
  }
  if (ctx.actor.kind === 'anonymous' && !policyOf(ctx.config).anonymousRead)
    throw new Problem('unauthenticated')
  throw new Problem('not-found', { detail: 'There is no such image.' })
}

/** Who may see it, when the caller may. */
async function seenThrough(ctx: Ctx, row: AttachmentRow): Promise<'everybody' | 'some' | undefined> {
  const { anonymousRead } = policyOf(ctx.config)
  for (const repoId of await reposThatShow(ctx.db, row.id)) {
    const repo = await requireRepoById(ctx, repoId, 'repo.read').catch(hiddenAsAbsent)
    if (!repo?.discussionsEnabled) continue
    return anonymousRead && repo.visibility === 'public' ? 'everybody' : 'some'
  }
  return isOwn(ctx, row) ? 'some' : undefined
}

/** Theirs, and not asked for by a token that is fenced in. */
function isOwn({ actor }: Ctx, row: AttachmentRow): boolean {
  if (actor.kind !== 'user' || row.user_id !== actorId(actor) || !hasScope(actor, 'read')) return false
  return actor.auth.kind !== 'token' || actor.auth.fence === null
}

function hiddenAsAbsent(error: unknown): undefined {
  if (error instanceof Problem && error.status < 500) return undefined
  throw error
}
