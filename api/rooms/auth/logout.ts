import { eq } from 'drizzle-orm'
import { requireUser } from '../../core/access/index.ts'
import type { Ctx } from '../../core/ctx.ts'
import { Problem } from '../../platform/problems/index.ts'

/** Ends the session of the caller. A token has none: Problem `session-required`. */
export async function logout({ actor, db }: Ctx): Promise<void> {
  const { auth } = requireUser(actor)
  if (auth.kind !== 'session') throw new Problem('session-required')
  await db.write(async ({ q, t: { sessions } }) => {
    await q.delete(sessions).where(eq(sessions.id, auth.sessionId))
  })
}
