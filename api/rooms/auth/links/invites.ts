import { and, eq, isNull } from 'drizzle-orm'
import { requireInstanceAdmin } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { readPage, type Page } from '../../../stores/db/index.ts'
import { audit } from '../../../core/events/index.ts'
import { findUserById } from '../../namespaces/index.ts'
import { Problem } from '../../../platform/problems/index.ts'
import type { PageAfter } from '../queries.ts'
import { findOpenInvites, type LinkRow } from './queries.ts'

/** An open invite, and who made it. */
export interface OpenInvite {
  link: LinkRow
  createdBy: string | undefined
}

/** The open invites, newest first. For instance admins. */
export async function listInvites(ctx: Ctx, { after, limit }: PageAfter): Promise<Page<OpenInvite, string>> {
  requireInstanceAdmin(ctx.actor)
  const { items, next } = await readPage(
    limit,
    (count) => findOpenInvites(ctx.db, ctx.now(), { after, limit: count }),
    ({ id }) => id,
  )
  const makers = new Map<string, string | undefined>()
  for (const { created_by: id } of items)
    if (id && !makers.has(id)) makers.set(id, (await findUserById(ctx.db, id))?.username)
  const invites = items.map((link) => ({ link, createdBy: makers.get(link.created_by ?? '') }))
  return next === undefined ? { items: invites } : { items: invites, next }
}

/** Ends an open invite. For instance admins. Problem `not-found`. */
export async function revokeInvite(ctx: Ctx, id: string): Promise<void> {
  requireInstanceAdmin(ctx.actor)
  await ctx.db.write(async (tx) => {
    const { links } = tx.t
    const [gone] = await tx.q
      .delete(links)
      .where(and(eq(links.id, id), eq(links.kind, 'invite'), isNull(links.used_at)))
      .returning()
    if (!gone) throw new Problem('not-found', { detail: 'There is no such open invite.' })
    await audit(tx, ctx, {
      action: 'link.invite.revoke',
      target: { type: 'link', id, name: gone.invite?.username ?? gone.invite?.email ?? '' },
    })
  })
}
