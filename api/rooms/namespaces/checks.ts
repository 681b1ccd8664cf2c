import { and, asc, eq, gt, isNull, like, notInArray, or } from 'drizzle-orm'
import type { Check, Finding } from '../../core/check.ts'
import type { Deps } from '../../core/ctx.ts'
import { nameKey } from './names.ts'

const PAGE = 500

/** Names are compared by their key, which the database keeps unique. */
async function* checkNames({ db: { q, t } }: Deps): AsyncGenerator<Finding> {
  const { namespaces: n } = t
  for (let after = ''; ;) {
    const page = await q.select().from(n).where(gt(n.id, after)).orderBy(asc(n.id)).limit(PAGE)
    for (const { name, name_key } of page)
      if (name_key !== nameKey(name))
        yield {
          check: 'namespaces.name',
          severity: 'error',
          message: `${name} does not hold its name: it is kept as ${name_key}`,
        }
    const last = page.at(-1)
    if (!last || page.length < PAGE) return
    after = last.id
  }
}

async function* checkAdmins({ db: { q, t } }: Deps): AsyncGenerator<Finding> {
  const { namespaces: n, members } = t
  // Instance admins administer an organisation made for mirrors, and one that a provider's groups brought about until a
  // group grants the role.
  const governed = q
    .select({ id: members.org_id })
    .from(members)
    .where(or(eq(members.role, 'admin'), like(members.source, 'oidc:%')))
  const orphans = await q
    .select({ name: n.name })
    .from(n)
    .where(and(eq(n.kind, 'org'), isNull(n.mirror_of), notInArray(n.id, governed)))
  for (const { name } of orphans)
    yield { check: 'namespaces.admin', severity: 'error', message: `the organisation ${name} has no admin` }
}

/** Names are unique in any case, and every organisation has an admin. */
export const namespaceCheck: Check = {
  name: 'namespaces',
  async *run(deps, { repoId }) {
    if (repoId !== undefined) return
    yield* checkNames(deps)
    yield* checkAdmins(deps)
  },
}
