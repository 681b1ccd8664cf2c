import {
  roles,
  type AccessRequestStatus,
  type GatedMode,
  type RepoType,
  type Role,
  type Visibility,
} from '../../../shared/vocabulary.ts'
import type { Config } from '../../platform/config/index.ts'
import { hasScope, type Actor, type UserActor } from './actor.ts'
import { insideFence, reachesNamespace } from './fence.ts'

/** A repo with what it is to this caller: everything a decision needs, read by one query. */
export interface RepoFacts {
  type: RepoType
  namespaceId: string
  ns: string
  name: string
  visibility: Visibility
  gated: GatedMode | null
  isDeleted: boolean
  /** By an instance admin: what it holds is neither given out nor added to. */
  isDisabled: boolean
  /** It follows a repo of another hub: its content changes with that one alone. */
  isMirror: boolean
  collaboratorRole: Role | null
  accessStatus: AccessRequestStatus | null
}

/** A namespace as a target of rights. */
export interface NamespaceFacts {
  id: string
  name: string
  kind: 'user' | 'org'
  /** The upstream whose mirrors it holds, and nothing else. */
  mirror_of?: string | null
}

/** What decisions depend on besides the caller and the thing. */
export interface Policy {
  /** `security.anonymous_read` */
  anonymousRead: boolean
}

/** The policy a server is configured with. */
export const policyOf = ({ security }: Pick<Config, 'security'>): Policy => ({
  anonymousRead: security.anonymous_read,
})

interface RepoRule {
  least: Role
  signedIn?: true
  /** The bytes of files: a gated repo asks for an accepted request or `write`. */
  files?: true
  /** Gives out what the repo holds or adds to it, which ends where an instance admin has disabled the repo. */
  content?: true
  /** Changes the content, which a mirror has from its upstream. */
  edits?: true
  /** Changes something, so a token needs the scope `write`. */
  changes?: true
  /** Also allowed while soft-deleted. */
  deleted?: true
}

// native-api.md §3, row by row.
const repoRules = {
  /** Its own page, where a soft-deleted one can still be restored. */
  'repo.get': { least: 'read', deleted: true },
  'repo.read': { least: 'read' },
  /** The card, which a gated repo shows as well. */
  'repo.card': { least: 'read', content: true },
  'repo.files': { least: 'read', content: true, files: true },
  'repo.zip': { least: 'read', content: true, files: true, signedIn: true },
  /** Has a job read the files. */
  'repo.compare': { least: 'read', content: true, files: true, signedIn: true },
  'repo.like': { least: 'read', signedIn: true, changes: true },
  'repo.watch': { least: 'read', signedIn: true, changes: true },
  'repo.request-access': { least: 'read', signedIn: true, changes: true },
  'repo.open-pull-request': { least: 'read', content: true, edits: true, signedIn: true, changes: true },
  /** Opens discussions and comments; changes what one has opened or written oneself. */
  'repo.discuss': { least: 'read', signedIn: true, changes: true },
  'repo.commit': { least: 'write', content: true, edits: true, changes: true },
  'repo.merge': { least: 'write', content: true, edits: true, changes: true },
  /** Closes and retitles what others have opened, edits what they have written. */
  'repo.edit-discussions': { least: 'write', changes: true },
  'repo.hide-comments': { least: 'admin', changes: true },
  'repo.settings': { least: 'admin', changes: true },
  'repo.collaborators': { least: 'admin' },
  'repo.collaborators.set': { least: 'admin', changes: true },
  /** Registers webhooks for what happens here, and receives their deliveries; also that of the deletion. */
  'repo.webhooks': { least: 'admin', deleted: true },
  'repo.access-requests': { least: 'admin' },
  'repo.access-requests.decide': { least: 'admin', changes: true },
  'repo.rename': { least: 'admin', changes: true },
  'repo.transfer': { least: 'admin', changes: true },
  'repo.force-push': { least: 'admin', changes: true },
  'repo.delete': { least: 'admin', changes: true },
  'repo.restore': { least: 'admin', changes: true, deleted: true },
} as const satisfies Record<string, RepoRule>

interface NamespaceRule {
  least: Role
  /** Changes nothing, so that of a token the scope `read` is enough. */
  reads?: true
}

const namespaceRules = {
  'namespace.create-repo': { least: 'write' },
  'namespace.receive-repo': { least: 'admin' },
  'namespace.edit': { least: 'admin' },
  'namespace.members.set': { least: 'admin' },
  'namespace.webhooks': { least: 'admin' },
  'namespace.edit-collections': { least: 'write' },
  'namespace.delete-collections': { least: 'admin' },
  /** How much it holds and may hold. */
  'namespace.see-storage': { least: 'read', reads: true },
} as const satisfies Record<string, NamespaceRule>

/** What no person does in a namespace that holds mirrors alone: jobs put them there, and it has no members. */
const closedInMirrors = new Set<string>([
  'namespace.create-repo',
  'namespace.receive-repo',
  'namespace.members.set',
])

export type RepoAction = keyof typeof repoRules
export type NamespaceAction = keyof typeof namespaceRules

/** The least role each action asks for. */
export const leastRole = (action: RepoAction | NamespaceAction): Role =>
  ({ ...repoRules, ...namespaceRules })[action].least

/** `hidden`: answer as if it did not exist. `scope`: the person may, this token may not. */
export type Decision =
  | 'ok'
  | 'hidden'
  | 'unauthenticated'
  | 'disabled'
  | 'mirror'
  | 'gated'
  | 'scope'
  | 'forbidden'

const rank = (role: Role | null | undefined) => (role ? roles.indexOf(role) : -1)
const higher = (a: Role | null | undefined, b: Role | null | undefined) =>
  (rank(a) >= rank(b) ? a : b) ?? null

/** The caller's effective role on a repo, before scopes; `null` when it is hidden from them. */
export function roleOn(actor: Actor, repo: RepoFacts, policy: Policy): Role | null {
  if (actor.kind === 'system') return 'admin'
  const isPublic = repo.visibility === 'public' && !repo.isDeleted
  const inside = actor.kind === 'user' && insideFence(actor, repo)
  if (!inside) return isPublic && policy.anonymousRead ? 'read' : null
  return roleOfPerson(actor, repo)
}

/** The role of a person on a repo, whichever way they come; `null` when it is hidden from them. */
export function roleOfPerson(
  { isAdmin, roles }: Pick<UserActor, 'isAdmin' | 'roles'>,
  repo: Pick<RepoFacts, 'namespaceId' | 'collaboratorRole' | 'visibility' | 'isDeleted'>,
): Role | null {
  if (isAdmin) return 'admin'
  const held = higher(roles.get(repo.namespaceId), repo.collaboratorRole)
  if (repo.isDeleted) return held === 'admin' ? 'admin' : null
  return higher(held, repo.visibility === 'public' ? 'read' : null)
}

/** Whether a role is `least` or more. */
export const isAtLeast = (role: Role | null | undefined, least: Role): boolean => rank(role) >= rank(least)

/** Instance admins see what it is that they have disabled. */
const mayLookBehind = (actor: Actor, repo: RepoFacts) =>
  actor.kind === 'user' && actor.isAdmin && insideFence(actor, repo)

/** Decides one action on one repo. The only place where this is decided; every surface calls it. */
export function decide(actor: Actor, action: RepoAction, repo: RepoFacts, policy: Policy): Decision {
  const rule: RepoRule = repoRules[action]
  const role = roleOn(actor, repo, policy)
  if (!role || (repo.isDeleted && !rule.deleted)) return 'hidden'
  if (actor.kind === 'system') return 'ok'
  if (rank(role) < rank(rule.least)) return actor.kind === 'anonymous' ? 'unauthenticated' : 'forbidden'
  if (rule.signedIn && actor.kind === 'anonymous') return 'unauthenticated'
  if (rule.signedIn || rule.changes) {
    if (actor.kind === 'anonymous') return 'unauthenticated'
    if (!insideFence(actor, repo)) return 'forbidden'
  }
  if (actor.kind === 'user' && !hasScope(actor, rule.changes ? 'write' : 'read')) return 'scope'
  if (rule.content && repo.isDisabled && !mayLookBehind(actor, repo)) return 'disabled'
  if (rule.edits && repo.isMirror) return 'mirror'
  if (rule.files && repo.gated && rank(role) < rank('write')) {
    const accepted = actor.kind === 'user' && insideFence(actor, repo) && repo.accessStatus === 'accepted'
    if (!accepted) return 'gated'
  }
  return 'ok'
}

/** Whether `actor` may do `action` to the repo. */
export function can(actor: Actor, action: RepoAction, repo: RepoFacts, policy: Policy): boolean {
  return decide(actor, action, repo, policy) === 'ok'
}

/** The caller's role on a namespace, before scopes and fences. */
export function namespaceRole(actor: Actor, ns: Pick<NamespaceFacts, 'id'>): Role | null {
  if (actor.kind !== 'user') return actor.kind === 'system' ? 'admin' : null
  return actor.isAdmin ? 'admin' : (actor.roles.get(ns.id) ?? null)
}

/** Decides one action on a namespace; a fenced token reaches only namespaces its fence names. */
export function decideNamespace(
  actor: Actor,
  action: NamespaceAction,
  ns: NamespaceFacts,
): Extract<Decision, 'ok' | 'unauthenticated' | 'scope' | 'forbidden'> {
  if (actor.kind === 'system') return 'ok'
  if (actor.kind === 'anonymous') return 'unauthenticated'
  if (!reachesNamespace(actor, ns)) return 'forbidden'
  if (ns.mirror_of && closedInMirrors.has(action)) return 'forbidden'
  const role = namespaceRole(actor, ns)
  const rule: NamespaceRule = namespaceRules[action]
  if (rank(role) < rank(rule.least)) return 'forbidden'
  return hasScope(actor, rule.reads ? 'read' : 'write') ? 'ok' : 'scope'
}

/** Whether `actor` may see the profile of the namespace `name`, its avatar and its members. */
export function decideProfile(
  actor: Actor,
  name: string,
  policy: Policy,
): Extract<Decision, 'ok' | 'hidden' | 'unauthenticated' | 'scope'> {
  if (actor.kind === 'system') return 'ok'
  if (actor.kind === 'anonymous') return policy.anonymousRead ? 'ok' : 'unauthenticated'
  if (!hasScope(actor, 'read')) return 'scope'
  if (policy.anonymousRead || actor.auth.kind !== 'token' || !actor.auth.fence) return 'ok'
  const { repos = [], namespaces = [] } = actor.auth.fence
  const named = [...namespaces, ...repos.map((repo) => repo.ns)]
  return named.some((ns) => ns.toLowerCase() === name.toLowerCase()) ? 'ok' : 'hidden'
}
