import { eq } from 'drizzle-orm'
import type { Ctx } from '../../core/ctx.ts'
import type { Tx } from '../../stores/db/index.ts'
import { cancelJobsOf, type JobEnded } from '../../core/jobs/index.ts'
import { requireNamedUser, setDisabled, type User } from '../namespaces/index.ts'
import { endLinksOf } from './links/queries.ts'
import { denyDevicesOf } from './revoke-tokens.ts'

/** What a disabling has changed; `isChanged` is false when the user was disabled already. */
export interface Disabling {
  user: User
  isChanged: boolean
  sessions: number
  jobs: number
}

/**
 * Puts a user out, in one transaction: nothing stands for them any more, their sessions end, devices they have approved
 * get no token, their jobs are cancelled, links for them and by them end. Tokens and webhooks rest until `enableUser`; content stays. The caller has been
 * authorised. Problems: `not-found`, `last-admin`.
 */
export async function disableUser(ctx: Ctx, username: string, whenEnded?: JobEnded): Promise<Disabling> {
  return ctx.db.write(async (tx) => putOut(tx, ctx, await requireNamedUser(tx, username), whenEnded))
}

/** The same within a transaction. */
export async function putOut(tx: Tx, ctx: Ctx, user: User, whenEnded?: JobEnded): Promise<Disabling> {
  const { sessions } = tx.t
  const isChanged = await setDisabled(tx, ctx, user, true)
  const ended = await tx.q
    .delete(sessions)
    .where(eq(sessions.user_id, user.id))
    .returning({ id: sessions.id })
  await denyDevicesOf(tx, user.id)
  await endLinksOf(tx, user.id)
  const jobs = await cancelJobsOf(tx, ctx, { userId: user.id }, whenEnded)
  return { user, isChanged, sessions: ended.length, jobs }
}

/**
 * Lets a disabled user back in; their tokens work again. The caller has been authorised. Problem `not-found`. Answers
 * false when the user was not disabled.
 */
export async function enableUser(ctx: Ctx, username: string): Promise<{ user: User; isChanged: boolean }> {
  return ctx.db.write(async (tx) => {
    const user = await requireNamedUser(tx, username)
    return { user, isChanged: await setDisabled(tx, ctx, user, false) }
  })
}
