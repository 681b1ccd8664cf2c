import { Problem } from '../../platform/problems/index.ts'
import { findNamespace, findUser, type NamespaceRow, type Reader, type User } from './queries.ts'

/** The user or organisation called `name`, in any case, or Problem `not-found`. */
export async function requireNamespace(db: Reader, name: string): Promise<NamespaceRow> {
  const row = await findNamespace(db, name)
  if (!row) throw new Problem('not-found', { detail: `There is no user or organisation ${name}.` })
  return row
}

/** The organisation called `name`, in any case, or Problem `not-found`. */
export async function requireOrg(db: Reader, name: string): Promise<NamespaceRow> {
  const row = await requireNamespace(db, name)
  if (row.kind !== 'org') throw new Problem('not-found', { detail: `${row.name} is no organisation.` })
  return row
}

/** The user called `username`, in any case, or Problem `not-found`. */
export async function requireNamedUser(db: Reader, username: string): Promise<User> {
  const user = await findUser(db, username)
  if (!user) throw new Problem('not-found', { detail: `There is no user ${username}.` })
  return user
}
