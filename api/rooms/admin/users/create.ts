import { requireFresh, requireInstanceAdmin } from '../../../core/access/index.ts'
import { addResetLink, checkPasswordPolicy, hashPassword, type MadeLink } from '../../auth/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { UniqueViolation } from '../../../stores/db/index.ts'
import { addUser, nameTaken } from '../../namespaces/index.ts'

/** An account that an admin makes. */
export interface AdminUserCreate {
  username: string
  display_name?: string | undefined
  /** Taken as verified. */
  email?: string | undefined
  password?: string | undefined
  is_admin?: boolean | undefined
}

/**
 * Makes an account; without a password also the link by which its person sets one. For instance admins. Problems:
 * `invalid-name`, `name-taken`, `email-taken`, `weak-password`, `forbidden` where no password may be used,
 * `fresh-sign-in-required` to make an admin.
 */
export async function createAdminUser(
  ctx: Ctx,
  { username, display_name, email, password, is_admin }: AdminUserCreate,
): Promise<{ id: string; reset: MadeLink | undefined }> {
  requireInstanceAdmin(ctx.actor)
  if (is_admin) requireFresh(ctx.actor, ctx.now())
  if (password !== undefined) await checkPasswordPolicy(ctx.db, { field: 'password', password, username })
  const passwordHash = password === undefined ? null : await hashPassword(password)
  try {
    return await ctx.db.write(async (tx) => {
      const user = await addUser(tx, ctx, {
        username,
        passwordHash,
        ...(display_name !== undefined && { displayName: display_name }),
        ...(email && { email }),
        ...(is_admin && { isAdmin: true }),
      })
      const reset = passwordHash === null ? await addResetLink(tx, ctx, user) : undefined
      return { id: user.id, reset }
    })
  } catch (error) {
    throw error instanceof UniqueViolation ? nameTaken('username') : error
  }
}
