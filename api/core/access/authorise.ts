import { Problem } from '../../platform/problems/index.ts'
import type { Scope } from '../../../shared/vocabulary.ts'
import { hasScope, type Actor, type UserActor } from './actor.ts'
import {
  decide,
  decideNamespace,
  decideProfile,
  type Decision,
  type NamespaceAction,
  type NamespaceFacts,
  type Policy,
  type RepoAction,
  type RepoFacts,
} from './can.ts'
import { insideFence, reachesNamespace } from './fence.ts'
import { forbidden } from './forbidden.ts'

function refusal(decision: Exclude<Decision, 'ok' | 'hidden' | 'forbidden'>, scope: Scope): Problem {
  if (decision === 'unauthenticated') return new Problem('unauthenticated')
  if (decision === 'disabled')
    return new Problem('repo-disabled', { detail: 'An admin of this instance has disabled this repo.' })
  if (decision === 'mirror')
    return new Problem('read-only-mirror', {
      detail: 'This repo mirrors a repo of another hub and is read-only. Detach it to make it yours.',
    })
  if (decision === 'gated')
    return new Problem('gated', {
      detail: 'Ask for access to this repo; its files are open once that is accepted.',
    })
  return new Problem('insufficient-scope', { detail: `This access token lacks the scope "${scope}".` })
}

/** Throws the Problem that says why `actor` may not do `action`; what is hidden answers as absent. */
export function authorise(actor: Actor, action: RepoAction, repo: RepoFacts, policy: Policy): void {
  const decision = decide(actor, action, repo, policy)
  if (decision === 'ok') return
  if (decision === 'hidden') throw repoNotFound(actor, policy)
  if (decision === 'forbidden') throw forbidden(action, actor.kind !== 'user' || insideFence(actor, repo))
  const reads = decide(actor, 'repo.read', repo, policy) === 'scope'
  throw refusal(decision, reads ? 'read' : 'write')
}

/** What an invisible repo and an absent one both answer: 401 to anonymous where nothing is public, else 404. */
export function repoNotFound(actor: Actor, policy: Policy): Problem {
  if (actor.kind === 'anonymous' && !policy.anonymousRead) return new Problem('unauthenticated')
  return new Problem('repo-not-found')
}

/** Throws unless `actor` may do `action` to the namespace. */
export function authoriseNamespace(actor: Actor, action: NamespaceAction, ns: NamespaceFacts): void {
  const decision = decideNamespace(actor, action, ns)
  if (decision === 'ok') return
  if (decision === 'forbidden') throw forbidden(action, actor.kind !== 'user' || reachesNamespace(actor, ns))
  throw refusal(decision, 'write')
}

/** Throws unless `actor` may see the profile of the namespace `name`; call it before looking the name up. */
export function authoriseProfile(actor: Actor, name: string, policy: Policy): void {
  const decision = decideProfile(actor, name, policy)
  if (decision === 'hidden') throw new Problem('not-found')
  if (decision !== 'ok') throw refusal(decision, 'read')
}

/** The signed-in caller, or Problem `unauthenticated`. */
export function requireUser(actor: Actor): UserActor {
  if (actor.kind !== 'user') throw new Problem('unauthenticated')
  return actor
}

/** The signed-in caller, whose token (a fenced one too) needs `scope`. */
export function requireScope(actor: Actor, scope: Scope): UserActor {
  const user = requireUser(actor)
  if (!hasScope(user, scope)) throw refusal('scope', scope)
  return user
}

/**
 * The signed-in caller who may upvote what a namespace shows: to see it is enough, but a token needs the scope `write`, and
 * a fenced one must reach the namespace.
 */
export function requireUpvoter(actor: Actor, ns: Pick<NamespaceFacts, 'name'>): UserActor {
  const user = requireUser(actor)
  if (!reachesNamespace(user, ns))
    throw new Problem('forbidden', {
      detail: 'You may not upvote this collection with this access token: its fence does not include it.',
    })
  if (!hasScope(user, 'write')) throw refusal('scope', 'write')
  return user
}

/** The caller of an account operation: never a fenced token, and a token needs `scope`. */
export function requireAccount(actor: Actor, scope: Scope): UserActor {
  const user = requireUser(actor)
  if (user.auth.kind === 'token' && user.auth.fence)
    throw new Problem('forbidden', { detail: 'A fenced access token cannot be used for account operations.' })
  if (!hasScope(user, scope)) throw refusal('scope', scope)
  return user
}

/** The caller of an `/admin` operation. */
export function requireInstanceAdmin(actor: Actor): UserActor {
  const user = requireUser(actor)
  if (user.lacksSecondFactor)
    throw new Problem('second-factor-required', {
      detail: 'Admins of this server need a second factor. Add a passkey under Settings → Sign-in methods.',
    })
  if (!user.isAdmin) throw new Problem('forbidden', { detail: 'Only instance admins may do this.' })
  return requireAccount(actor, 'admin')
}
