import { and, desc, eq, inArray, lt } from 'drizzle-orm'
import { requireAccount } from '../../core/access/index.ts'
import type { Ctx } from '../../core/ctx.ts'
import { readPage, type Page, type Tables } from '../../stores/db/index.ts'
import type { PageAfter } from './queries.ts'

type SignInRow = Pick<Tables['audit']['$inferSelect'], 'id' | 'at' | 'ip' | 'after' | 'outcome'>

/** Sign-ins to the caller's account, good and refused ones, newest first: as far back as the audit log goes. */
export async function listSignIns(ctx: Ctx, { after, limit }: PageAfter): Promise<Page<SignInRow, string>> {
  const user = requireAccount(ctx.actor, 'write')
  const { audit } = ctx.db.t
  const isSignIn = and(eq(audit.target_id, user.id), inArray(audit.action, ['login.ok', 'login.fail']))
  return readPage(
    limit,
    (count) =>
      ctx.db.q
        .select({ id: audit.id, at: audit.at, ip: audit.ip, after: audit.after, outcome: audit.outcome })
        .from(audit)
        .where(and(isSignIn, after === undefined ? undefined : lt(audit.id, after)))
        .orderBy(desc(audit.id))
        .limit(count),
    ({ id }) => id,
  )
}

export type { SignInRow }
