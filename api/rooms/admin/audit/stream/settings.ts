import { eq } from 'drizzle-orm'
import { requireFresh, requireInstanceAdmin, type UserActor } from '../../../../core/access/index.ts'
import type { Ctx } from '../../../../core/ctx.ts'
import { audit, countWaiting, firstSeal, sealWithin } from '../../../../core/events/index.ts'
import { OutboundError, type Lookup } from '../../../../platform/net/index.ts'
import { invalidField } from '../../../../platform/problems/index.ts'
import { newId, type Tx } from '../../../../stores/db/index.ts'
import { findStream, requireStream, sealToken, STREAM, type StreamRow } from './row.ts'
import { checkAddress } from './send.ts'

/** What an admin sets. */
export interface StreamSettings {
  url: string
  /** Left out: the present one stays; `null`: none. */
  token?: string | null | undefined
  enabled?: boolean | undefined
  /** Sends all that the audit log holds, also what was sent before. */
  fromStart?: boolean | undefined
}

/** A stream with what is still to be sent. */
export interface Stream extends StreamRow {
  waiting: number
}

async function withWaiting(ctx: Ctx, row: StreamRow): Promise<Stream> {
  const { rows, gone } = await countWaiting(ctx, row.sent_seq)
  return { ...row, waiting: rows, lost: row.lost + gone }
}

/** The stream of the audit log. For instance admins. Problem `not-found` when none is set. */
export async function getStream(ctx: Ctx): Promise<Stream> {
  requireInstanceAdmin(ctx.actor)
  return withWaiting(ctx, await requireStream(ctx.db))
}

/**
 * Sets where the audit log is sent. A new stream begins with this change. For instance admins with a fresh sign-in. Problems:
 * `fresh-sign-in-required`, `validation-failed` for an address that may not be sent to.
 */
export async function setStream(ctx: Ctx, wanted: StreamSettings, lookup?: Lookup): Promise<Stream> {
  requireFreshAdmin(ctx)
  await requireAddress(ctx, wanted.url, lookup)
  const row = await ctx.db.write(async (tx) => {
    const last = await sealWithin(tx, ctx.db)
    const before = await findStream(tx)
    const after = await changed(tx, ctx, wanted, before, last)
    const { audit_stream } = tx.t
    await tx.q.insert(audit_stream).values(after).onConflictDoUpdate({ target: audit_stream.id, set: after })
    await auditStream(tx, ctx, 'audit.stream.set', {
      ...(before && { before }),
      after,
      ...(wanted.fromStart && { from_start: true }),
    })
    return after
  })
  return withWaiting(ctx, row)
}

/** Ends the stream. For instance admins with a fresh sign-in. Problems `not-found`, `fresh-sign-in-required`. */
export async function deleteStream(ctx: Ctx): Promise<void> {
  requireFreshAdmin(ctx)
  await ctx.db.write(async (tx) => {
    const before = await requireStream(tx)
    await tx.q.delete(tx.t.audit_stream).where(eq(tx.t.audit_stream.id, STREAM))
    await auditStream(tx, ctx, 'audit.stream.delete', { before })
  })
}

function requireFreshAdmin(ctx: Ctx): UserActor {
  const admin = requireInstanceAdmin(ctx.actor)
  requireFresh(admin, ctx.now())
  return admin
}

async function changed(
  tx: Tx,
  ctx: Ctx,
  { url, token, enabled, fromStart }: StreamSettings,
  before: StreamRow | undefined,
  last: number,
): Promise<StreamRow> {
  const isElsewhere = before !== undefined && originOf(before) !== originOf({ url })
  if (isElsewhere && before.token !== null && token === undefined)
    throw invalidField(
      'token',
      'give it again, or none: the present one belongs to the former address',
      'required',
    )
  const now = ctx.now()
  return {
    id: STREAM,
    revision: newId(),
    url,
    token: token === undefined ? (before?.token ?? null) : token === null ? null : sealToken(ctx, token),
    enabled: enabled ?? before?.enabled ?? true,
    sent_seq: fromStart ? ((await firstSeal(tx, 0)) ?? last + 1) - 1 : (before?.sent_seq ?? last),
    sent_at: before?.sent_at ?? null,
    lost: fromStart ? 0 : (before?.lost ?? 0),
    failures: 0,
    failing_since: null,
    next_attempt_at: null,
    error: null,
    created_at: before?.created_at ?? now,
    updated_at: now,
  }
}

async function requireAddress(ctx: Ctx, url: string, lookup?: Lookup): Promise<void> {
  // Parsers of addresses pass over some of them in silence, and Postgres holds no NUL.
  if (/[\p{Cc}\s]/u.test(url))
    throw invalidField('url', 'must have neither blanks nor control characters', 'invalid-url')
  try {
    await checkAddress(ctx, url, lookup)
  } catch (error) {
    throw error instanceof OutboundError ? invalidField('url', error.message, error.fault) : error
  }
}

const originOf = ({ url }: Pick<StreamRow, 'url'>) => new URL(url).origin

/** By its origin: the rest of an address may be as good as a password. */
const factsOf = (row: StreamRow) => ({
  origin: originOf(row),
  enabled: row.enabled,
  has_token: row.token !== null,
})

interface Changed {
  before?: StreamRow
  after?: StreamRow
  from_start?: true
}

async function auditStream(
  tx: Tx,
  ctx: Ctx,
  action: `audit.stream.${string}`,
  { before, after, ...more }: Changed,
): Promise<void> {
  await audit(tx, ctx, {
    action,
    target: { type: 'instance', id: STREAM, name: 'audit stream' },
    ...(before && { before: factsOf(before) }),
    ...(after && { after: { ...factsOf(after), ...more } }),
  })
}
