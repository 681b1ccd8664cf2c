/* The pages of administration load together: few people open them, and each import of its own makes every first view larger. */
export * as audit from './audit.page.tsx'
export * as invites from './invites.page.tsx'
export * as orgs from './orgs.page.tsx'
export * as overview from './overview.page.tsx'
export * as quotas from './quotas.page.tsx'
export * as unsafeFiles from './unsafe-files.page.tsx'
export * as users from './users.page.tsx'
