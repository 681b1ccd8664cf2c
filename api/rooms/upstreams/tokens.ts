import { and, eq } from 'drizzle-orm'
import { requireAccount } from '../../core/access/index.ts'
import type { Ctx } from '../../core/ctx.ts'
import { audit } from '../../core/events/index.ts'
import { invalidField } from '../../platform/problems/index.ts'
import type { Tables } from '../../stores/db/index.ts'
import { whoAmI } from './who-am-i.ts'
import { requireUpstream, UPSTREAM_ID, type Upstream } from './upstream.ts'

export type SavedToken = Tables['upstream_tokens']['$inferSelect']

/** The token that requests to an upstream are sent with, and whose it is. */
export type UpstreamToken =
  | { kind: 'personal'; token: string }
  | { kind: 'instance'; token: string }
  | { kind: 'none'; token?: undefined }

const contextOf = (userId: string, upstream: string) => `upstream-token:${userId}:${upstream}`

/** A saved token; `undefined` when it was sealed with another instance key. */
export const tokenOf = (
  secrets: Pick<Ctx['secrets'], 'open'>,
  row: { user_id: string; upstream: string; token: string },
): string | undefined => secrets.open(contextOf(row.user_id, row.upstream), row.token)
const MAX_TOKEN_CHARACTERS = 1000

async function find({ db }: Pick<Ctx, 'db'>, userId: string, upstream: string) {
  const { q, t } = db
  const { upstream_tokens: s } = t
  const [row] = await q
    .select()
    .from(s)
    .where(and(eq(s.user_id, userId), eq(s.upstream, upstream)))
  return row
}

/** The token for what `userId` asks of an upstream: their own, else that of the instance. */
export async function tokenFor(
  ctx: Pick<Ctx, 'db' | 'secrets'>,
  upstream: Upstream,
  userId: string | null,
): Promise<UpstreamToken> {
  const saved = userId === null ? undefined : await find(ctx, userId, upstream.id)
  const own = saved && userId !== null && ctx.secrets.open(contextOf(userId, upstream.id), saved.token)
  if (own) return { kind: 'personal', token: own }
  const shared = upstream.token()
  return shared ? { kind: 'instance', token: shared } : { kind: 'none' }
}

/** What the caller has saved for an upstream. Problem `not-found` for an upstream that is not there. */
export async function getUpstreamToken(ctx: Ctx, id: string): Promise<SavedToken | undefined> {
  const user = requireAccount(ctx.actor, 'read')
  await requireUpstream(ctx, id)
  return find(ctx, user.id, id)
}

/**
 * Saves a token of the caller's for an upstream, sealed, after the upstream has been asked whose it is. One that the
 * upstream refuses is Problem `validation-failed`; where it does not answer, the token is saved and has not been checked.
 */
export async function saveUpstreamToken(ctx: Ctx, id: string, given: string): Promise<SavedToken> {
  const user = requireAccount(ctx.actor, 'write')
  const upstream = await requireUpstream(ctx, id)
  const token = given.trim()
  if (!/^[\x21-\x7e]+$/.test(token) || token.length > MAX_TOKEN_CHARACTERS)
    throw invalidField('token', 'paste the access token alone, without blanks or quotes', 'invalid')
  const who = await whoAmI(ctx, { upstream, token, signal: ctx.signal })
  if (who.state === 'refused')
    throw invalidField('token', `${upstream.name} does not accept it. Create a new one there.`, 'invalid')
  const now = ctx.now()
  const row: SavedToken = {
    user_id: user.id,
    upstream: id,
    token: ctx.secrets.seal(contextOf(user.id, id), token),
    saved_at: now,
    checked_at: who.state === 'accepted' ? now : null,
    valid: who.state === 'accepted' ? true : null,
  }
  await ctx.db.write(async (tx) => {
    const { upstream_tokens: s } = tx.t
    await tx.q
      .insert(s)
      .values(row)
      .onConflictDoUpdate({ target: [s.user_id, s.upstream], set: row })
    await audit(tx, ctx, {
      action: 'upstream-token.save',
      target: { type: 'upstream', id, name: upstream.name },
    })
  })
  return row
}

/** Deletes the caller's token for an upstream; without one nothing happens. */
export async function deleteUpstreamToken(ctx: Ctx, id: string): Promise<void> {
  const user = requireAccount(ctx.actor, 'write')
  if (!UPSTREAM_ID.test(id)) return
  await ctx.db.write(async (tx) => {
    const { upstream_tokens: s } = tx.t
    const gone = await tx.q
      .delete(s)
      .where(and(eq(s.user_id, user.id), eq(s.upstream, id)))
      .returning({ upstream: s.upstream })
    if (gone.length > 0)
      await audit(tx, ctx, { action: 'upstream-token.delete', target: { type: 'upstream', id, name: id } })
  })
}
