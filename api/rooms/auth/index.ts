export { bootstrapAdmin } from './bootstrap-admin.ts'
export { clearedSessionCookie, sessionCookieName } from './cookie.ts'
export { createAccount } from './create-account.ts'
export { checkProvider } from './oidc/check-provider.ts'
export { disableUser, enableUser, putOut } from './disable-user.ts'
export { listInvites, revokeInvite, type OpenInvite } from './links/invites.ts'
export {
  addResetLink,
  linkUrl,
  makeEmailLink,
  makeInvite,
  makeResetLink,
  type MadeLink,
} from './links/make-link.ts'
export type { Invite } from './links/tables.ts'
export { policyEffect, type PolicyEffect } from './policies/effect.ts'
export { listInstanceTokens } from './policies/list-tokens.ts'
export { readPolicies } from './policies/policies.ts'
export { getPolicies, resetPolicies, updatePolicies } from './policies/update-policies.ts'
export { checkPasswordPolicy, hashPassword } from './passwords.ts'
export {
  actorNow,
  actorOfBasic,
  actorOfSession,
  actorOfSigner,
  actorOfToken,
  signerOf,
  type Signer,
} from './principals.ts'
export { actorOfKeyToken, signInByKey } from './ollama-keys/sign-in.ts'
export { endedLogins } from './sweep.ts'
export { newPassword } from './secrets.ts'
export { listAllTokens, type OwnedToken } from './list-all-tokens.ts'
export { countTokensOf, type SessionRow, type TokenRow } from './queries.ts'
export { endSessionsOf, listSessionsOf, listTokensOf, revokeTokenOf } from './holdings.ts'
export { resetSecondFactor } from './passkeys/manage.ts'
export { resetPassword } from './reset-password.ts'
export { revokeEveryToken, revokeNamedToken, revokeTokensOf } from './revoke-named.ts'
export { ipKey } from './throttle.ts'
