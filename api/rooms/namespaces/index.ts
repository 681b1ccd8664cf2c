export { markPasswordGenerated, renewPasswordHash, setPasswordHash, touchUser } from './account.ts'
export { avatarPath } from './avatars/address.ts'
export { avatarRows } from './avatars/rows.ts'
export { namespaceCheck } from './checks.ts'
export { confirmEmail } from './confirm-email.ts'
export { createOrg } from './create-org.ts'
export { addUser, createUser, emailTaken, nameTaken, type NewUser } from './create-user.ts'
export { applyExternalRights, higherRole, type ExternalRights } from './external-rights.ts'
export { followNamespace } from './follows/follow.ts'
export { countFollowedUsers, listFollowers, listFollowing, type Follow } from './follows/list.ts'
export { getNamespace, type Profile } from './get-namespace.ts'
export { setAdminByName } from './admin-right.ts'
export { listUsers, type Account } from './list-users.ts'
export { ensureMirrorNamespace, requireMirrorPlace, requireOwnPlace } from './mirror-namespace.ts'
export { listMembers } from './members.ts'
export {
  findNamespace,
  findUser,
  findUserByEmail,
  findUserById,
  type Reader,
  hasNoAdmin,
  isMemberOf,
  lockNamespace,
  organisationsOf,
  type NamespaceRow,
  type Organisation,
  type User,
} from './queries.ts'
export { checkNamespaceName as checkUsername } from './names.ts'
export { listQuotas, requireWithinQuota, setQuota, type Quota } from './quota.ts'
export { requireNamedUser, requireNamespace } from './require.ts'
export { setDisabled } from './set-disabled.ts'
export { addMember } from './set-member.ts'
export { updateAccount, type AccountUpdate } from './update-account.ts'
export { usedAtMost, usedBytes } from './storage.ts'
export { updateMe, type MeUpdate } from './update-me.ts'
export { updateOrg } from './update-org.ts'
