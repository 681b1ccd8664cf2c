import { anonymous, type Actor } from '../../../core/access/index.ts'
import { actorOfSigner } from '../../auth/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { requireRepoById } from '../../repos/index.ts'
import { readGrant } from './grant.ts'
import { grantParameter } from './addresses.ts'

/** In whose name a signed address is used, with the rights they have now, and on which repo. */
export interface SignedUse {
  actor: Actor
  repoId: string
}

/** What a signed address answers when its object or upload is gone, and when its signer may no longer use it. */
export const nothingHere = (cause?: unknown): Problem =>
  new Problem('not-found', { detail: 'This link leads to nothing. Request a new one.', cause })

/**
 * The use of an address we signed, while its signer still may what it is for: the token or session is not revoked, the
 * user is active, the repo is there and they have the right. Problems: `forbidden` for an address that is not ours or
 * has expired, else `not-found`, so that a revoked address tells no more than an absent object.
 */
export async function requireSignedUse(ctx: Ctx, method: string, address: string): Promise<SignedUse> {
  const verdict = ctx.secrets.verifyUrl(method, address, ctx.now())
  if (verdict === 'expired')
    throw new Problem('forbidden', { detail: 'This link has expired. Request a new one.' })
  const grant = readGrant(new URL(address).searchParams.get(grantParameter) ?? '')
  if (verdict !== 'valid' || !grant)
    throw new Problem('forbidden', { detail: 'This server did not issue this link. Request a new one.' })
  const { repoId, action, signer } = grant
  try {
    const actor = signer ? await actorOfSigner(ctx, signer) : anonymous
    await requireRepoById({ ...ctx, actor }, repoId, action)
    return { actor, repoId }
  } catch (error) {
    if (error instanceof Problem && error.status < 500) throw nothingHere(error)
    throw error
  }
}
