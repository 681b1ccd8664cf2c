import type { Ctx } from '../../core/ctx.ts'
import { newId, UniqueViolation, type Db, type Tx } from '../../stores/db/index.ts'
import { audit } from '../../core/events/index.ts'
import { Problem } from '../../platform/problems/index.ts'
import { checkNamespaceName, nameKey } from './names.ts'
import { emailKey, findNamespace, findUserByEmail, type Reader, type User } from './queries.ts'

/** An account to be made. */
export interface NewUser {
  username: string
  /** The username when left out. */
  displayName?: string
  /** As `auth/` hashed it; `null` for one who signs in elsewhere. */
  passwordHash: string | null
  /** Taken as confirmed: the admin who creates the account vouches for it. */
  email?: string
  /** Awaits confirmation; matches no sign-in until then. */
  pendingEmail?: string
  isAdmin?: boolean
}

/** The Problem of a name that a user or organisation has. */
export const nameTaken = (field: string): Problem =>
  new Problem('name-taken', {
    errors: [{ field, code: 'taken', message: 'a user or organisation has this name' }],
  })

/** The Problem of an email address that is another user's. */
export const emailTaken = (): Problem =>
  new Problem('email-taken', {
    errors: [{ field: 'email', code: 'taken', message: 'another user has this address' }],
  })

async function refuseTaken(db: Reader, { username, ...user }: NewUser): Promise<void> {
  const email = user.email ?? user.pendingEmail
  if (await findNamespace(db, username)) throw nameTaken('username')
  if (email && (await findUserByEmail(db, email))) throw emailTaken()
}

/**
 * Creates a user and the namespace of the same id, within a transaction.
 * Problems: `invalid-name`, `name-taken`, `email-taken`. Losing a race is a UniqueViolation of the transaction.
 */
export async function addUser(tx: Tx, ctx: Ctx, user: NewUser): Promise<User> {
  checkNamespaceName('username', user.username)
  await refuseTaken(tx, user)
  const id = newId()
  const created_at = ctx.now()
  const display_name = user.displayName ?? user.username
  await tx.q.insert(tx.t.namespaces).values({
    id,
    name: user.username,
    name_key: nameKey(user.username),
    kind: 'user',
    display_name,
    created_at,
  })
  const account = {
    id,
    password_hash: user.passwordHash,
    password_generated: false,
    email: user.email || null,
    email_key: user.email ? emailKey(user.email) : null,
    email_verified: Boolean(user.email),
    pending_email: user.pendingEmail || null,
    is_admin: user.isAdmin ?? false,
    admin_source: null,
    disabled: false,
    created_at,
    last_seen_at: null,
  }
  await tx.q.insert(tx.t.users).values(account)
  const target = { type: 'user', id, name: user.username }
  await audit(tx, ctx, { action: 'user.create', target, after: { is_admin: account.is_admin } })
  return { ...account, username: user.username, display_name, default_visibility: null }
}

/** Creates a user and their namespace. Problems: `invalid-name`, `name-taken`, `email-taken`. */
export async function createUser(ctx: Ctx, user: NewUser): Promise<User> {
  return orTaken(ctx.db, user, () => ctx.db.write((tx) => addUser(tx, ctx, user)))
}

async function orTaken<T>(db: Db, user: NewUser, create: () => Promise<T>): Promise<T> {
  try {
    return await create()
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error
    await refuseTaken(db, user)
    throw error
  }
}
