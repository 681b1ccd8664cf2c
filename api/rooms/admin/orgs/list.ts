import { and, asc, eq, gt, inArray, or, sql } from 'drizzle-orm'
import { requireInstanceAdmin } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { readPage, type Page } from '../../../stores/db/index.ts'
import { usedBytes, type NamespaceRow } from '../../namespaces/index.ts'
import { containing } from '../../repos/index.ts'

/** An organisation as admins see it. */
export interface AdminOrg {
  row: NamespaceRow
  members: number
  admins: string[]
  repos: number
  usedBytes: number
}

/** A page of organisations in name order whose name or display name contains `q`. For instance admins. */
export async function listAdminOrgs(
  ctx: Ctx,
  q: string,
  { after = '', limit }: { after?: string | undefined; limit: number },
): Promise<Page<AdminOrg, string>> {
  requireInstanceAdmin(ctx.actor)
  const { namespaces: n } = ctx.db.t
  const isNamed = or(containing(sql`${n.name_key}`, q), containing(sql`lower(${n.display_name})`, q))
  const { items, ...next } = await readPage(
    limit,
    (count) =>
      ctx.db.q
        .select()
        .from(n)
        .where(and(eq(n.kind, 'org'), gt(n.name_key, after), q === '' ? undefined : isNamed))
        .orderBy(asc(n.name_key))
        .limit(count),
    (row) => row.name_key,
  )
  return { items: await withFigures(ctx, items), ...next }
}

async function withFigures({ db }: Ctx, rows: NamespaceRow[]): Promise<AdminOrg[]> {
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return []
  const { members, namespaces, repos } = db.t
  const used = await usedBytes(db, ids)
  const people = await db.q
    .select({ org: members.org_id, role: members.role, name: namespaces.name })
    .from(members)
    .innerJoin(namespaces, eq(namespaces.id, members.user_id))
    .where(inArray(members.org_id, ids))
    .orderBy(asc(namespaces.name_key))
  const owned = await db.q
    .select({ id: repos.namespace_id, count: sql<number>`count(*)`.mapWith(Number) })
    .from(repos)
    .where(inArray(repos.namespace_id, ids))
    .groupBy(repos.namespace_id)
  return rows.map((row) => {
    const own = people.filter(({ org }) => org === row.id)
    return {
      row,
      members: own.length,
      admins: own.filter(({ role }) => role === 'admin').map(({ name }) => name),
      repos: owned.find(({ id }) => id === row.id)?.count ?? 0,
      usedBytes: used.get(row.id) ?? 0,
    }
  })
}
