import { and, asc, desc, eq, gt, gte, lt, lte, or, type SQL } from 'drizzle-orm'
import { requireInstanceAdmin } from '../../access/index.ts'
import type { Ctx } from '../../ctx.ts'
import { readPage, type Page, type Tables } from '../../../stores/db/index.ts'
import { spansOf } from './spans.ts'

/** A row of the audit with the name that its actor has now, and its seal once it has one. */
export type AuditRow = Tables['audit']['$inferSelect'] & {
  actor: string | null
  seal: { seq: number; hash: string } | null
}

/** Which rows; what is left out does not matter. */
export interface AuditFilter {
  /** A username, in any case. */
  actor?: string | undefined
  /** A whole action, or its beginning when it ends with a dot: `org.`. */
  action?: string | undefined
  /** The id or the name of what it was done to. */
  target?: string | undefined
  outcome?: 'ok' | 'refused' | undefined
  from?: Date | undefined
  to?: Date | undefined
}

function columns({ audit, audit_seals, namespaces }: Ctx['db']['t']) {
  return {
    row: audit,
    actor: namespaces.name,
    seal: { seq: audit_seals.seq, hash: audit_seals.hash },
  }
}

function rows({ q, t }: Ctx['db']) {
  const { audit, audit_seals, namespaces } = t
  return q
    .select(columns(t))
    .from(audit)
    .leftJoin(audit_seals, eq(audit_seals.audit_id, audit.id))
    .leftJoin(namespaces, eq(namespaces.id, audit.actor_id))
}

const toRow = ({ row, ...more }: Awaited<ReturnType<typeof rows>>[number]): AuditRow => ({ ...row, ...more })

function matching({ t: { audit, namespaces } }: Ctx['db'], filter: AuditFilter): SQL | undefined {
  const { actor, action, target, outcome, from, to } = filter
  // The character after the dot: what begins with `org.` lies between `org.` and `org/`.
  const isAction = action?.endsWith('.')
    ? and(gte(audit.action, action), lt(audit.action, `${action.slice(0, -1)}/`))
    : action && eq(audit.action, action)
  return and(
    actor === undefined ? undefined : eq(namespaces.name_key, actor.toLowerCase()),
    isAction || undefined,
    target === undefined ? undefined : or(eq(audit.target_id, target), eq(audit.target_name, target)),
    outcome && eq(audit.outcome, outcome),
    from && gte(audit.at, from),
    to && lte(audit.at, to),
  )
}

/** A page of the audit, newest first. For instance admins. */
export async function listAudit(
  ctx: Ctx,
  filter: AuditFilter,
  { after, limit }: { after?: string | undefined; limit: number },
): Promise<Page<AuditRow, string>> {
  requireInstanceAdmin(ctx.actor)
  const { audit } = ctx.db.t
  return readPage(
    limit,
    async (count) => {
      const isNext = after === undefined ? undefined : lt(audit.id, after)
      const found = await rows(ctx.db)
        .where(and(matching(ctx.db, filter), isNext))
        .orderBy(desc(audit.id))
        .limit(count)
      return found.map(toRow)
    },
    ({ id }) => id,
  )
}

/**
 * Every matching row, oldest first, a batch at a time, so that no number of them fills the memory. Callers decide who may
 * ask: instance admins.
 */
export async function* exportAudit(ctx: Ctx, filter: AuditFilter): AsyncGenerator<AuditRow[]> {
  for await (const span of spansOf(ctx)) {
    const found = await rows(ctx.db)
      .where(and(matching(ctx.db, filter), span))
      .orderBy(asc(ctx.db.t.audit.id))
    if (found.length > 0) yield found.map(toRow)
  }
}

/**
 * The sealed rows after the number `after`, in the order of the chain, at most `limit`. Rows that are no longer there leave
 * gaps. Callers decide who may ask.
 */
export async function sealedAfter(
  { q, t }: Ctx['db'],
  after: number,
  limit: number,
): Promise<(AuditRow & { seal: { seq: number; hash: string } })[]> {
  const { audit, audit_seals, namespaces } = t
  const found = await q
    .select(columns(t))
    .from(audit_seals)
    .innerJoin(audit, eq(audit.id, audit_seals.audit_id))
    .leftJoin(namespaces, eq(namespaces.id, audit.actor_id))
    .where(gt(audit_seals.seq, after))
    .orderBy(asc(audit_seals.seq))
    .limit(limit)
  return found.map(({ row, ...more }) => ({ ...row, ...more }))
}
