import type { Ctx } from '../../core/ctx.ts'
import { createUser, type NewUser, type User } from '../namespaces/index.ts'
import { checkPasswordPolicy, hashPassword } from './passwords.ts'

/**
 * Creates a user who signs in with `password`. Problems: `weak-password`, `invalid-name`, `name-taken`, `email-taken`.
 */
export async function createAccount(
  ctx: Ctx,
  { password, ...user }: Omit<NewUser, 'passwordHash'> & { password: string },
): Promise<User> {
  await checkPasswordPolicy(ctx.db, { field: 'password', password, username: user.username })
  return createUser(ctx, { ...user, passwordHash: await hashPassword(password) })
}
