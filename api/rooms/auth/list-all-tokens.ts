import { and, desc, eq, lt } from 'drizzle-orm'
import type { Reader, TokenRow } from './queries.ts'

/** A token with the name of its owner. */
export type OwnedToken = Omit<TokenRow, 'digest'> & { username: string }

const PAGE = 500

/** The tokens of one user, or of all, newest first, a page at a time. The caller has been authorised. */
export async function* listAllTokens({ q, t }: Reader, userId?: string): AsyncGenerator<OwnedToken[]> {
  const { tokens, namespaces } = t
  for (let after: string | undefined; ;) {
    const page = await q
      .select({ token: tokens, username: namespaces.name })
      .from(tokens)
      .innerJoin(namespaces, eq(namespaces.id, tokens.user_id))
      .where(
        and(
          userId === undefined ? undefined : eq(tokens.user_id, userId),
          after === undefined ? undefined : lt(tokens.id, after),
        ),
      )
      .orderBy(desc(tokens.id))
      .limit(PAGE)
    yield page.map(({ token: { digest: _, ...token }, username }) => ({ ...token, username }))
    after = page.at(-1)?.token.id
    if (after === undefined || page.length < PAGE) return
  }
}
