import { asc, eq, gt } from 'drizzle-orm'
import type { Reader } from './queries.ts'

/** A user as admins see them in a list. */
export interface Account {
  username: string
  display_name: string
  email: string | null
  is_admin: boolean
  disabled: boolean
  created_at: Date
  last_seen_at: Date | null
}

const PAGE = 500

/** Every user in name order, a page at a time. The caller has been authorised. */
export async function* listUsers({ q, t }: Reader): AsyncGenerator<Account[]> {
  const { users, namespaces: n } = t
  for (let after = ''; ;) {
    const page = await q
      .select({
        key: n.name_key,
        username: n.name,
        display_name: n.display_name,
        email: users.email,
        is_admin: users.is_admin,
        disabled: users.disabled,
        created_at: users.created_at,
        last_seen_at: users.last_seen_at,
      })
      .from(users)
      .innerJoin(n, eq(n.id, users.id))
      .where(gt(n.name_key, after))
      .orderBy(asc(n.name_key))
      .limit(PAGE)
    yield page.map(({ key: _, ...account }) => account)
    const last = page.at(-1)
    if (!last || page.length < PAGE) return
    after = last.key
  }
}
