export {
  actorId,
  anonymous,
  hasScope,
  system,
  type Actor,
  type Authentication,
  type UserActor,
} from './actor.ts'
export {
  authorise,
  authoriseNamespace,
  authoriseProfile,
  repoNotFound,
  requireAccount,
  requireInstanceAdmin,
  requireScope,
  requireUpvoter,
  requireUser,
} from './authorise.ts'
export {
  can,
  decide,
  decideNamespace,
  decideProfile,
  isAtLeast,
  namespaceRole,
  policyOf,
  roleOn,
  type Decision,
  type NamespaceAction,
  type NamespaceFacts,
  type Policy,
  type RepoAction,
  type RepoFacts,
} from './can.ts'
export { insideFence } from './fence.ts'
export { requireFresh } from './fresh.ts'
export { visibleCollections } from './visible-collections.ts'
export { rolesOfPeople } from './people.ts'
export { managedWebhooks } from './managed-webhooks.ts'
export { visibleJobs } from './visible-jobs.ts'
export { visibleNamespaces } from './visible-namespaces.ts'
export { readableRepos, reposWithCard, visibleRepos } from './visible.ts'
export { visibleRows, type ListedRepo } from './visible-rows.ts'
