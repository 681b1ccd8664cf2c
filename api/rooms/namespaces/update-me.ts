import { eq } from 'drizzle-orm'
import { requireAccount } from '../../core/access/index.ts'
import type { Visibility } from '../../../shared/vocabulary.ts'
import type { Ctx } from '../../core/ctx.ts'
import type { Tx } from '../../stores/db/index.ts'
import { Problem } from '../../platform/problems/index.ts'
import { emailTaken } from './create-user.ts'
import { emailKey, findUserByEmail, findUserById, type User } from './queries.ts'

/** What users change about themselves; a field left out is unchanged. */
export interface MeUpdate {
  display_name?: string | undefined
  /** `''` removes the address at once. */
  email?: string | undefined
  /** Of repos that clients create in the user's own namespace without saying. */
  default_visibility?: Visibility | undefined
}

/**
 * Changes the caller's display name, email and default visibility. A new address waits as `pending_email` until confirmed; the present
 * address cancels the wait; `onEmail` is called in the same transaction when either happens. Problem `email-taken` for another user's address, and then nothing changes.
 */
export async function updateMe(
  ctx: Ctx,
  { display_name, email, default_visibility }: MeUpdate,
  onEmail?: (tx: Tx, userId: string) => Promise<void>,
): Promise<User> {
  const { id } = requireAccount(ctx.actor, 'write')
  return ctx.db.write(async (tx) => {
    const user = await findUserById(tx, id)
    if (!user) throw new Problem('bad-credentials')
    const { users, namespaces } = tx.t
    const change = email === undefined ? undefined : await emailChange(tx, user, email)
    if (change) {
      await tx.q.update(users).set(change).where(eq(users.id, id))
      await onEmail?.(tx, id)
    }
    const profile = {
      display_name: display_name ?? user.display_name,
      default_visibility: default_visibility ?? user.default_visibility,
    }
    await tx.q.update(namespaces).set(profile).where(eq(namespaces.id, id))
    return { ...user, ...change, ...profile }
  })
}

type EmailColumns = Partial<Pick<User, 'email' | 'email_key' | 'email_verified' | 'pending_email'>>

// A new address is pending until it is verified; the one that is verified stays.
async function emailChange(tx: Tx, user: User, email: string): Promise<EmailColumns> {
  if (email === '') return { email: null, email_key: null, email_verified: false, pending_email: null }
  if (emailKey(email) === user.email_key) return { pending_email: null }
  if (await findUserByEmail(tx, email)) throw emailTaken()
  return { pending_email: email }
}
