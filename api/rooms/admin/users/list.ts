import { requireInstanceAdmin } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { readPage, type Page } from '../../../stores/db/index.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { findUserRow, findUsers, withFigures, type AdminUser, type UserFilter } from './queries.ts'

/** A page of users in name order. For instance admins. */
export async function listAdminUsers(
  ctx: Ctx,
  filter: UserFilter,
  { after = '', limit }: { after?: string | undefined; limit: number },
): Promise<Page<AdminUser, string>> {
  requireInstanceAdmin(ctx.actor)
  const { items, ...next } = await readPage(
    limit,
    (count) => findUsers(ctx.db, filter, { after, limit: count }),
    (row) => row.name_key,
  )
  return { items: await withFigures(ctx.db, items), ...next }
}

/** One user. For instance admins. Problem `not-found`. */
export async function getAdminUser(ctx: Ctx, id: string): Promise<AdminUser> {
  requireInstanceAdmin(ctx.actor)
  const row = await findUserRow(ctx.db, id)
  const [user] = row ? await withFigures(ctx.db, [row]) : []
  if (!user) throw new Problem('not-found', { detail: 'There is no such user.' })
  return user
}
