import type { Fence, Role, Scope } from '../../../shared/vocabulary.ts'

/** How a user proved who they are on this request. */
export type Authentication =
  | {
      kind: 'session'
      sessionId: string
      expiresAt: Date
      /** When the person last proved who they are: at sign-in, or again since. */
      confirmedAt: Date
    }
  | {
      kind: 'token'
      /** A token that `ollama` was given for a saved key, whose id is `tokenId`. */
      isSavedKey?: true
      tokenId: string
      tokenName: string
      scopes: readonly Scope[]
      fence: Fence | null
      createdAt: Date
      expiresAt: Date | null
    }

/** A signed-in person, with the roles they hold on namespaces (their own counts as `admin`). */
export interface UserActor {
  kind: 'user'
  id: string
  username: string
  /** Whether they act as an instance admin now. */
  isAdmin: boolean
  /** An instance admin who must set up a second factor before they may act as one. */
  lacksSecondFactor?: true
  /** Namespace id → Role. */
  roles: ReadonlyMap<string, Role>
  auth: Authentication
}

/** The caller. `system` is the server's own work: jobs and the command line. */
export type Actor = { kind: 'anonymous' } | { kind: 'system' } | UserActor

export const anonymous: Actor = { kind: 'anonymous' }
export const system: Actor = { kind: 'system' }

/** Whether a token lets its owner do what `scope` covers; a session always does. `write` implies `read`. */
export function hasScope(actor: UserActor, scope: Scope): boolean {
  if (actor.auth.kind === 'session') return true
  const { scopes } = actor.auth
  return scopes.includes(scope) || (scope === 'read' && scopes.includes('write'))
}

/** The id that rows name as their author; `null` for anonymous and the server itself. */
export function actorId(actor: Actor): string | null {
  return actor.kind === 'user' ? actor.id : null
}
