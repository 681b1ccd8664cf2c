import { eq } from 'drizzle-orm'
import { authoriseProfile, decideProfile, policyOf } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { requireNamespace } from '../require.ts'
import { picturePath } from './address.ts'
import { initialsPicture } from './initials.ts'
import { findAvatar, findAvatarOf, type AvatarRow } from './queries.ts'

/** What a namespace shows: the path of its uploaded picture, or a drawing of its initials. */
export type Avatar = { path: string } | { name: string; svg: string }

/** The avatar of the user or organisation `name`, for callers who may see the profile. */
export async function openAvatar(ctx: Ctx, name: string): Promise<Avatar> {
  authoriseProfile(ctx.actor, name, policyOf(ctx.config))
  const row = await requireNamespace(ctx.db, name)
  const uploaded = await findAvatarOf(ctx.db, row.id)
  if (uploaded && uploaded.corrupt_at === null) return { path: picturePath(uploaded) }
  return { name: row.name, svg: initialsPicture(row.name, row.display_name) }
}

/** An uploaded picture by its file name, for callers who may see the profile. Problem `not-found`. */
export async function openPicture(ctx: Ctx, file: string): Promise<AvatarRow> {
  const [id = '', type] = file.split('.')
  const policy = policyOf(ctx.config)
  if (ctx.actor.kind === 'anonymous' && !policy.anonymousRead) throw new Problem('unauthenticated')
  const row = await findAvatar(ctx.db, id)
  const absent = () => new Problem('not-found', { detail: 'There is no such picture.' })
  if (!row || row.type !== type) throw absent()
  const { namespaces: n } = ctx.db.t
  const [owner] = await ctx.db.q.select({ name: n.name }).from(n).where(eq(n.id, row.namespace_id))
  if (!owner) throw absent()
  if (decideProfile(ctx.actor, owner.name, policy) === 'hidden') throw absent()
  authoriseProfile(ctx.actor, owner.name, policy)
  if (row.corrupt_at !== null)
    throw new Problem('store-unavailable', {
      detail: 'The bytes of this picture are damaged. Its owner must upload it again.',
      retryAfterS: 60,
    })
  return row
}
