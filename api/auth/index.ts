export { bootstrapAdmin } from './bootstrap-admin.ts'
export { clearedSessionCookie, sessionCookieName } from './cookie.ts'
export { createAccount } from './create-account.ts'
export { disableUser, enableUser } from './disable-user.ts'
export {
  actorNow,
  actorOfBasic,
  actorOfSession,
  actorOfSigner,
  actorOfToken,
  signerOf,
  type Signer,
} from './principals.ts'
export { endedLogins } from './sweep.ts'
export { newPassword } from './secrets.ts'
export { listAllTokens, type OwnedToken } from './list-all-tokens.ts'
export { countTokensOf } from './queries.ts'
export { resetPassword } from './reset-password.ts'
export { revokeEveryToken, revokeNamedToken, revokeTokensOf } from './revoke-named.ts'
export { ipKey } from './throttle.ts'
