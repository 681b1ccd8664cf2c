import { and, eq, isNull, lte, or } from 'drizzle-orm'
import type { Actor, UserActor } from '../../core/access/index.ts'
import type { Ctx, Deps, Origin } from '../../core/ctx.ts'
import { touchUser } from '../namespaces/index.ts'
import { Problem } from '../../platform/problems/index.ts'
import { formatMinutes, idleEnd, touchEveryMs } from './policies/idle.ts'
import { findUser, hot, type Principal } from './hot.ts'
import { digestOf, tokenDigestOf } from './secrets.ts'
import { countFailure, ipKey, pairKey, refuseLocked } from './throttle.ts'

/** Whom a token secret stands for. Problems: `bad-credentials`, `token-expired`. */
export async function actorOfToken(deps: Deps, secret: string): Promise<Actor> {
  const { principal } = await hot(deps.db).token(tokenDigestOf(secret))
  return admit(deps, principal)
}

/**
 * Whom a session secret stands for. What a page asks for by itself while it is left alone is no use of the session (`isUse`
 * false). Problems: `bad-credentials`, `token-expired`, `session-idle`.
 */
export async function actorOfSession(deps: Deps, secret: string, isUse = true): Promise<Actor> {
  const { principal } = await hot(deps.db).session(digestOf(secret))
  return admit(deps, principal, isUse)
}

/**
 * Whom the credentials of git's basic authentication stand for: the password is a token, the name does not matter. A
 * token that holds is accepted whatever has failed before: it cannot be guessed, and others could fail in its owner's name.
 * What fails counts against the name from this address, and the address.
 */
export async function actorOfBasic(deps: Deps, origin: Origin, name: string, secret: string): Promise<Actor> {
  const { principal } = await hot(deps.db).token(tokenDigestOf(secret))
  if (principal) return admit(deps, principal)
  const keys = [...(name ? [pairKey(name, origin.ip)] : []), ipKey(origin.ip)]
  await refuseLocked(deps, keys)
  await deps.db.write((tx) => countFailure(tx, keys, deps.now()))
  throw new Problem('bad-credentials')
}

/** In whose name something was signed earlier: a user, by a token, in a session, by a saved key, or by their id alone. */
export interface Signer {
  userId: string
  tokenId?: string | undefined
  sessionId?: string | undefined
  keyId?: string | undefined
}

/** What a signature made in this caller's name must say, so that it ends with the token or session used now. */
export function signerOf({ id, auth }: UserActor): Signer {
  if (auth.kind === 'session') return { userId: id, sessionId: auth.sessionId }
  return auth.isSavedKey ? { userId: id, keyId: auth.tokenId } : { userId: id, tokenId: auth.tokenId }
}

/**
 * The signer with the rights they have now. Problem `bad-credentials` when the token is revoked, the session ended, the
 * key deleted or the user disabled or gone; `token-expired` when the token or session has expired,
 * `session-idle` when the session was unused for too long.
 */
export async function actorOfSigner(
  deps: Deps,
  { userId, tokenId, sessionId, keyId }: Signer,
): Promise<UserActor> {
  const { tokenById, sessionById, keyById } = hot(deps.db)
  const now = deps.now()
  if (tokenId === undefined && sessionId === undefined && keyId === undefined) {
    const user = await findUser(deps.db, userId, now)
    if (!user) throw new Problem('bad-credentials')
    return user
  }
  const byMeans = () => {
    if (tokenId !== undefined) return tokenById(tokenId)
    return keyId === undefined ? sessionById(sessionId ?? '') : keyById(keyId)
  }
  const { principal } = await byMeans()
  if (principal?.actor.id !== userId) throw new Problem('bad-credentials')
  requireLive(principal, now)
  return principal.actor
}

/** The caller with the rights they have by now, for answers that go on for minutes. Problems as of `actorOfSigner`. */
export async function actorNow(ctx: Ctx): Promise<Actor> {
  return ctx.actor.kind === 'user' ? actorOfSigner(ctx, signerOf(ctx.actor)) : ctx.actor
}

/** Problems: `token-expired`, `session-idle`. */
function requireLive({ expiresAt, usedAt, idleMinutes }: Principal, now: Date): void {
  if (expiresAt && expiresAt <= now) throw new Problem('token-expired')
  if (idleMinutes !== null && usedAt && idleEnd(usedAt, idleMinutes) <= now)
    throw new Problem('session-idle', {
      detail: `Signed out after ${formatMinutes(idleMinutes)} without use.`,
    })
}

function admit(deps: Deps, principal: Principal | undefined, isUse = true): Actor {
  if (!principal) throw new Problem('bad-credentials')
  const now = deps.now()
  requireLive(principal, now)
  if (!isUse) return principal.actor
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
