import { hasScope, requireAccount, type UserActor } from '../access/index.ts'
import type { Ctx } from '../ctx.ts'
import { newId, UniqueViolation, type Tx } from '../db/index.ts'
import { audit } from '../events/index.ts'
import { invalidField, Problem } from '../problems/index.ts'
import type { Fence, Scope } from '../../shared/vocabulary.ts'
import type { TokenRow } from './queries.ts'
import { digestOf, newTokenSecret, shownPrefix } from './secrets.ts'

/** A Token to be made. */
export interface NewToken {
  name: string
  scopes: Scope[]
  fence: Fence | null
  expiresAt: Date | null
}

/** A Token and its secret, which is shown this once. */
export interface CreatedToken {
  token: TokenRow
  secret: string
}

/**
 * Makes a Token of the caller's. By Token it never has more scope or a later end than that one; without an end it takes
 * that one's. Problems: `insufficient-scope`, `forbidden`, `name-taken`, `validation-failed`.
 */
export async function createToken(ctx: Ctx, wanted: NewToken): Promise<CreatedToken> {
  const user = requireAccount(ctx.actor, 'write')
  refuseMoreScope(user, wanted.scopes)
  const expiresAt = within(user, wanted.expiresAt)
  if (expiresAt && expiresAt <= ctx.now())
    throw invalidField('expires_at', 'must lie in the future', 'too-early')
  try {
    return await ctx.db.write((tx) => addToken(tx, ctx, user, { ...wanted, expiresAt }))
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error
    const message = 'you have a Token of this name'
    throw new Problem('name-taken', { errors: [{ field: 'name', code: 'taken', message }] })
  }
}

/** Stores a Token of the user's within a transaction; a name in use is a UniqueViolation. */
export async function addToken(
  tx: Tx,
  ctx: Ctx,
  owner: { id: string },
  { name, scopes, fence, expiresAt }: NewToken,
): Promise<CreatedToken> {
  const secret = newTokenSecret()
  const token: TokenRow = {
    id: newId(),
    user_id: owner.id,
    name,
    digest: digestOf(secret),
    prefix: shownPrefix(secret),
    scopes,
    fence,
    created_at: ctx.now(),
    last_used_at: null,
    expires_at: expiresAt,
  }
  await tx.q.insert(tx.t.tokens).values(token)
  // A device that redeems its code is nobody yet, so the owner is named here.
  const after = { user_id: owner.id, scopes, fence, expires_at: expiresAt?.toISOString() ?? null }
  await audit(tx, ctx, { action: 'token.create', target: { type: 'token', id: token.id, name }, after })
  return { token, secret }
}

function refuseMoreScope(user: UserActor, scopes: Scope[]): void {
  const missing = scopes.find((scope) => !hasScope(user, scope))
  if (missing)
    throw new Problem('insufficient-scope', { detail: `The Token used lacks the scope "${missing}" itself.` })
  if (scopes.includes('admin') && !user.isAdmin)
    throw new Problem('forbidden', { detail: 'Only instance admins may give a Token the scope "admin".' })
}

function within({ auth }: UserActor, wanted: Date | null): Date | null {
  const latest = auth.kind === 'token' ? auth.expiresAt : null
  if (latest && wanted && wanted > latest)
    throw invalidField(
      'expires_at',
      `must not be after ${latest.toISOString()}, when the Token used ends`,
      'too-late',
    )
  return wanted ?? latest
}
