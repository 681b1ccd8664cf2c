import { and, eq } from 'drizzle-orm'
import { hasScope, requireAccount, requireFresh, type UserActor } from '../../core/access/index.ts'
import type { Ctx } from '../../core/ctx.ts'
import { newId, UniqueViolation, type Tx } from '../../stores/db/index.ts'
import { audit } from '../../core/events/index.ts'
import { lockNamespace } from '../namespaces/index.ts'
import { invalidField, Problem } from '../../platform/problems/index.ts'
import type { Fence, Scope } from '../../../shared/vocabulary.ts'
import { readPolicies } from './policies/policies.ts'
import { checkTokenEnd } from './policies/token-policy.ts'
import type { TokenRow } from './queries.ts'
import { digestOf, newTokenSecret, shownPrefix } from './secrets.ts'

/** A token to be made. */
export interface NewToken {
  name: string
  scopes: Scope[]
  fence: Fence | null
  expiresAt: Date | null
  /** The token it is made with, which it is revoked with; a session makes one without. */
  parentId?: string | null
}

/** A token and its secret, which is shown this once. */
export interface CreatedToken {
  token: TokenRow
  secret: string
}

/**
 * Makes a token of the caller's. By token it never has more scope or a later end than that one; without an end it takes
 * that one's, and it is revoked with that one. The scope `admin` needs a fresh sign-in. Problems: `insufficient-scope`,
 * `forbidden`, `fresh-sign-in-required`, `name-taken`, `validation-failed`, also where it would outlast the policy.
 */
export async function createToken(ctx: Ctx, wanted: NewToken): Promise<CreatedToken> {
  const user = requireAccount(ctx.actor, 'write')
  const parentId = user.auth.kind === 'token' ? user.auth.tokenId : null
  refuseMoreScope(user, wanted.scopes)
  if (wanted.scopes.includes('admin')) requireFresh(user, ctx.now())
  const expiresAt = within(user, wanted.expiresAt)
  if (expiresAt && expiresAt <= ctx.now())
    throw invalidField('expires_at', 'must lie in the future', 'too-early')
  try {
    return await ctx.db.write(async (tx) => {
      if (parentId !== null && !(await holdParent(tx, user.id, parentId)))
        throw new Problem('bad-credentials', { detail: 'This token has been revoked.' })
      checkTokenEnd(await readPolicies(tx), ctx.now(), expiresAt)
      return addToken(tx, ctx, user, { ...wanted, expiresAt, parentId })
    })
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error
    const message = 'you have a token of this name'
    throw new Problem('name-taken', { errors: [{ field: 'name', code: 'taken', message }] })
  }
}

/** Stores a token of the user's within a transaction; a name in use is a UniqueViolation. */
export async function addToken(
  tx: Tx,
  ctx: Ctx,
  owner: { id: string },
  { name, scopes, fence, expiresAt, parentId = null }: NewToken,
): Promise<CreatedToken> {
  const secret = newTokenSecret()
  const token: TokenRow = {
    id: newId(),
    user_id: owner.id,
    parent_id: parentId,
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
  // A device that redeems its code is not signed in yet, so the owner is named here.
  const ends = { expires_at: expiresAt?.toISOString() ?? null, parent_id: parentId }
  const after = { user_id: owner.id, scopes, fence, ...ends }
  await audit(tx, ctx, { action: 'token.create', target: { type: 'token', id: token.id, name }, after })
  return { token, secret }
}

/**
 * Whether the user still has the token with which another is to be made. Their namespace stays held until the transaction
 * ends, so that no revocation passes by what is made at the same moment.
 */
export async function holdParent(tx: Tx, ownerId: string, parentId: string): Promise<boolean> {
  await lockNamespace(tx, ownerId)
  const { tokens } = tx.t
  const isParent = and(eq(tokens.id, parentId), eq(tokens.user_id, ownerId))
  return (await tx.q.$count(tokens, isParent)) > 0
}

function refuseMoreScope(user: UserActor, scopes: Scope[]): void {
  const missing = scopes.find((scope) => !hasScope(user, scope))
  if (missing)
    throw new Problem('insufficient-scope', { detail: `The token used lacks the scope "${missing}" itself.` })
  if (scopes.includes('admin') && !user.isAdmin)
    throw new Problem('forbidden', { detail: 'Only instance admins may give a token the scope "admin".' })
}

function within({ auth }: UserActor, wanted: Date | null): Date | null {
  const latest = auth.kind === 'token' ? auth.expiresAt : null
  if (latest && wanted && wanted > latest)
    throw invalidField(
      'expires_at',
      `must not be after ${latest.toISOString()}, when the token used ends`,
      'too-late',
    )
  return wanted ?? latest
}
