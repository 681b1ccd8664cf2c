import { eq } from 'drizzle-orm'
import type { Ctx } from '../../core/ctx.ts'
import { audit } from '../../core/events/index.ts'
import { requireNamedUser } from './require.ts'

/** Makes a user an instance admin. For the command line. Problem `not-found`. */
export async function makeAdmin(ctx: Ctx, username: string): Promise<void> {
  await ctx.db.write(async (tx) => {
    const user = await requireNamedUser(tx, username)
    const { users } = tx.t
    await tx.q.update(users).set({ is_admin: true, admin_source: null }).where(eq(users.id, user.id))
    await audit(tx, ctx, {
      action: 'user.admin.set',
      target: { type: 'user', id: user.id, name: user.username },
      before: { is_admin: user.is_admin },
      after: { is_admin: true },
    })
  })
}
