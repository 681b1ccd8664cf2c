export { setPasswordHash, touchUser } from './account.ts'
export { avatarPath } from './avatar.ts'
export { namespaceCheck } from './checks.ts'
export { createOrg } from './create-org.ts'
export { addUser, createUser, type NewUser } from './create-user.ts'
export { getNamespace, type Profile } from './get-namespace.ts'
export { makeAdmin } from './make-admin.ts'
export { listUsers, type Account } from './list-users.ts'
export { listMembers } from './members.ts'
export {
  findNamespace,
  findUser,
  findUserByEmail,
  findUserById,
  hasNoAdmin,
  isMemberOf,
  lockNamespace,
  organisationsOf,
  type NamespaceRow,
  type Organisation,
  type User,
} from './queries.ts'
export { listQuotas, setQuota, type Quota } from './quota.ts'
export { requireNamedUser } from './require.ts'
export { setDisabled } from './set-disabled.ts'
export { usedAtMost, usedBytes } from './storage.ts'
export { updateMe, type MeUpdate } from './update-me.ts'
export { updateOrg } from './update-org.ts'
