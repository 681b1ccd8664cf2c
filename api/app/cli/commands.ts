import type { Command } from './command.ts'

/** Every command by its words; longer names first where one begins another. Loaded when asked for. */
export const commands: Record<string, () => Promise<Command>> = {
  serve: async () => (await import('./serve.ts')).serve,
  migrate: async () => (await import('./migrate.ts')).migrate,
  fsck: async () => (await import('./fsck.ts')).fsck,
  reindex: async () => (await import('./reindex.ts')).reindex,
  'user create': async () => (await import('./user.ts')).userCreate,
  'user reset-password': async () => (await import('./user.ts')).userResetPassword,
  'user reset-second-factor': async () => (await import('./user.ts')).userResetSecondFactor,
  'user make-admin': async () => (await import('./user.ts')).userMakeAdmin,
  'user remove-admin': async () => (await import('./user.ts')).userRemoveAdmin,
  'user list': async () => (await import('./user.ts')).userList,
  'user disable': async () => (await import('./user.ts')).userDisable,
  'user enable': async () => (await import('./user.ts')).userEnable,
  'token list': async () => (await import('./token.ts')).tokenList,
  'token revoke': async () => (await import('./token.ts')).tokenRevoke,
  'policy show': async () => (await import('./policy.ts')).policyShow,
  'policy reset': async () => (await import('./policy.ts')).policyReset,
  'audit verify': async () => (await import('./audit.ts')).auditVerify,
  'audit export': async () => (await import('./audit.ts')).auditExport,
  'oidc check': async () => (await import('./oidc-check.ts')).oidcCheck,
  'bucket cors': async () => (await import('./bucket-cors.ts')).bucketCors,
  'config check': async () => (await import('./config-check.ts')).configCheck,
  'config docs': async () => (await import('./config-docs.ts')).configDocs,
}
