import { isNotNull } from 'drizzle-orm'
import type { Check } from '../../core/check.ts'
import { tokenOf } from './tokens.ts'
import { tokenContext } from './upstream.ts'

/** Tokens for upstreams can be opened: the service's own, and those that people have saved. */
export const upstreamCheck: Check = {
  name: 'upstreams',
  async *run({ db: { q, t }, secrets }, { repoId }) {
    if (repoId !== undefined) return
    const { upstreams: u, upstream_tokens: saved } = t
    for (const { id, token } of await q.select().from(u).where(isNotNull(u.token)))
      if (token !== null && secrets.open(tokenContext(id), token) === undefined)
        yield {
          check: 'upstreams.secret',
          severity: 'error',
          message: `the token of the upstream ${id} cannot be opened; set it again`,
        }
    for (const row of await q.select().from(saved))
      if (tokenOf(secrets, row) === undefined)
        yield {
          check: 'upstreams.secret',
          severity: 'error',
          message: `the token of user ${row.user_id} for the upstream ${row.upstream} cannot be opened; they save it again`,
        }
  },
}
