import { and, eq, isNull, lte, or } from 'drizzle-orm'
import type { Actor, UserActor } from '../access/index.ts'
import type { Deps, Origin } from '../ctx.ts'
import { touchUser } from '../namespaces/index.ts'
import { Problem } from '../problems/index.ts'
import { findTokenById, findUser, hot, type Principal } from './hot.ts'
import { digestOf } from './secrets.ts'
import { countFailure, forgetFailures, ipKey, refuseLocked, userKey } from './throttle.ts'

// Uses are written down at most this often.
const touchEveryMs = 60_000

/** Whom a Token secret stands for. Problems: `bad-credentials`, `token-expired`. */
export async function actorOfToken(deps: Deps, secret: string): Promise<Actor> {
  const { principal } = await hot(deps.db).token(digestOf(secret))
  return admit(deps, principal)
}

/** Whom a Session secret stands for. Problems: `bad-credentials`, `token-expired`. */
export async function actorOfSession(deps: Deps, secret: string): Promise<Actor> {
  const { principal } = await hot(deps.db).session(digestOf(secret))
  return admit(deps, principal)
}

/**
 * Whom the credentials of git's basic authentication stand for: the password is a Token, the name does not matter.
 * Failures count against the name and the address; a success clears the name only when it is the Token owner's.
 */
export async function actorOfBasic(deps: Deps, origin: Origin, name: string, secret: string): Promise<Actor> {
  const keys = [...(name ? [userKey(name)] : []), ipKey(origin.ip)]
  await refuseLocked(deps, keys)
  const { principal } = await hot(deps.db).token(digestOf(secret))
  if (!principal) {
    await deps.db.write((tx) => countFailure(tx, keys, deps.now()))
    throw new Problem('bad-credentials')
  }
  const actor = admit(deps, principal)
  await forgetOwnFailures(deps, userKey(principal.actor.username), keys)
  return actor
}

/** In whose name something was signed earlier: a user, by one of their Tokens or else in a Session. */
export interface Signer {
  userId: string
  tokenId?: string | undefined
}

/**
 * Whom it stands for by now, with the rights they have now. Read anew at each call, for callers that ask seldom.
 * Problem `bad-credentials` when the Token is revoked or the user disabled or gone, `token-expired` when it has ended.
 */
export async function actorOfSigner(deps: Deps, { userId, tokenId }: Signer): Promise<UserActor> {
  const now = deps.now()
  if (tokenId === undefined) {
    const user = await findUser(deps.db, userId, now)
    if (!user) throw new Problem('bad-credentials')
    return user
  }
  const { principal } = await findTokenById(deps.db, tokenId)
  if (principal?.actor.id !== userId) throw new Problem('bad-credentials')
  if (principal.expiresAt && principal.expiresAt <= now) throw new Problem('token-expired')
  return principal.actor
}

async function forgetOwnFailures({ db }: Deps, key: string, counted: string[]): Promise<void> {
  const { hasFailures } = await hot(db).throttle(key)
  if (hasFailures && counted.includes(key)) await db.write((tx) => forgetFailures(tx, [key]))
}

function admit(deps: Deps, principal: Principal | undefined): Actor {
  if (!principal) throw new Problem('bad-credentials')
  const now = deps.now()
  if (principal.expiresAt && principal.expiresAt <= now) throw new Problem('token-expired')
  if (!principal.usedAt || now.getTime() - principal.usedAt.getTime() >= touchEveryMs)
    touch(deps, principal, now)
  return principal.actor
}

/** Writes the use down, off the request's path. */
function touch({ db, log }: Deps, { actor }: Principal, now: Date): void {
  const { auth } = actor
  const id = auth.kind === 'token' ? auth.tokenId : auth.sessionId
  const { touching } = hot(db)
  if (touching.has(id)) return
  touching.add(id)
  const before = new Date(now.getTime() - touchEveryMs)
  void db
    .write(async (tx) => {
      const { tokens, sessions } = tx.t
      if (auth.kind === 'token') {
        const isOld = or(isNull(tokens.last_used_at), lte(tokens.last_used_at, before))
        await tx.q
          .update(tokens)
          .set({ last_used_at: now })
          .where(and(eq(tokens.id, id), isOld))
      } else {
        await tx.q
          .update(sessions)
          .set({ last_seen_at: now })
          .where(and(eq(sessions.id, id), lte(sessions.last_seen_at, before)))
      }
      await touchUser(tx, actor.id, now)
    })
    .catch((error: unknown) => log.warn({ err: error }, 'the use of a session or token was not written down'))
    .finally(() => touching.delete(id))
}
