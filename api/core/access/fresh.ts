import { Problem } from '../../platform/problems/index.ts'
import type { Actor } from './actor.ts'

/** How long a person who has proved who they are need not do so again. */
const freshMs = 10 * 60_000

/** Whether the caller's session was begun or confirmed in the last ten minutes. */
const isFresh = (confirmedAt: Date, now: Date): boolean => now.getTime() - confirmedAt.getTime() <= freshMs

/**
 * Throws Problem `fresh-sign-in-required` for a session whose person has not proved who they are in the last ten minutes:
 * it may lie open on a desk. Tokens pass, since their scopes say what they may do. Call it once access is decided.
 */
export function requireFresh(actor: Actor, now: Date): void {
  if (actor.kind !== 'user' || actor.auth.kind !== 'session') return
  if (!isFresh(actor.auth.confirmedAt, now))
    throw new Problem('fresh-sign-in-required', {
      detail: 'You signed in more than 10 minutes ago. Confirm that it is you, then repeat this.',
    })
}
