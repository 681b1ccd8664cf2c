import { and, eq } from 'drizzle-orm'
import type { Ctx } from '../../../core/ctx.ts'
import { Problem } from '../../../platform/problems/index.ts'
import type { Tx } from '../../../stores/db/index.ts'
import { answerOnce, challengeIn, newChallenge, openChallenge, type Challenge } from './challenge.ts'
import { findPasskey, passkeysOf, type PasskeyRow } from './queries.ts'
import { relyingParty } from './relying-party.ts'
import { webauthn } from './webauthn.ts'

/** What a browser answers when a passkey has signed a challenge. */
export interface Assertion {
  id: string
  rawId: string
  type: 'public-key'
  response: {
    clientDataJSON: string
    authenticatorData: string
    signature: string
    userHandle?: string | undefined
  }
}

/** What a browser needs to have a challenge signed (WebAuthn, `PublicKeyCredentialRequestOptionsJSON`). */
export interface AssertionOptions {
  challenge: string
  [member: string]: unknown
}

/** An assertion whose signature is right; it counts once, by {@link useAssertion}. */
export interface CheckedAssertion {
  challenge: Challenge
  sealed: string
  passkey: PasskeyRow
  counter: number
}

/** Throws Problem `state-conflict` where browsers would refuse to use passkeys of this server. */
export function requireRelyingParty(ctx: Pick<Ctx, 'config'>) {
  const party = relyingParty(ctx.config)
  if ('reason' in party) throw new Problem('state-conflict', { detail: party.reason })
  return party
}

/**
 * What a browser needs to have one of the user's passkeys sign `sealed`; without a user any passkey that it knows of. Alone,
 * a passkey must also have verified its user; as a second factor or a confirmation it stands beside something else.
 */
export async function assertionOptions(ctx: Ctx, sealed: string, userId?: string): Promise<AssertionOptions> {
  const { id: rpID } = requireRelyingParty(ctx)
  const { generateAuthenticationOptions } = await webauthn()
  const known = userId === undefined ? [] : await passkeysOf(ctx.db, userId)
  const options = await generateAuthenticationOptions({
    rpID,
    challenge: sealed,
    timeout: 5 * 60_000,
    userVerification: userId === undefined ? 'required' : 'preferred',
    ...(userId !== undefined && {
      allowCredentials: known.map(({ credential_id, transports }) => ({ id: credential_id, transports })),
    }),
  })
  return { ...options }
}

/** Options for signing in with a passkey alone. Problem `state-conflict` where there are no passkeys. */
export async function passkeySignInOptions(ctx: Ctx): Promise<AssertionOptions> {
  return assertionOptions(ctx, newChallenge(ctx, { purpose: 'sign-in' }))
}

/** Checks an answer to a challenge made for `purpose`; nothing when anything about it is wrong. Changes nothing. */
export async function checkAssertion(
  ctx: Ctx,
  purpose: Challenge['purpose'],
  given: Assertion,
): Promise<CheckedAssertion | undefined> {
  const party = relyingParty(ctx.config)
  const answered = challengeIn(given.response.clientDataJSON)
  const challenge = answered && openChallenge(ctx, purpose, answered.sealed)
  const passkey = await findPasskey(ctx.db, given.id)
  if ('reason' in party || !challenge || !passkey || !isOf(given, challenge, passkey)) return undefined
  const { verifyAuthenticationResponse } = await webauthn()
  const { clientDataJSON, authenticatorData, signature } = given.response
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        ...given,
        response: { clientDataJSON, authenticatorData, signature },
        clientExtensionResults: {},
      },
      expectedChallenge: answered.encoded,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: purpose === 'sign-in',
      credential: {
        id: passkey.credential_id,
        publicKey: new Uint8Array(Buffer.from(passkey.public_key, 'base64url')),
        counter: passkey.counter,
      },
    })
    const { newCounter: counter } = authenticationInfo
    return verified ? { challenge, sealed: answered.sealed, passkey, counter } : undefined
  } catch (error) {
    // Whatever a stranger sends is wrong in some way that the library words; a count that went back may mean a copy.
    ctx.log.info({ err: error, passkey: passkey.id }, 'an answer of a passkey was refused')
    return undefined
  }
}

/** Whether the passkey is that of the person whom the challenge, and the authenticator if it says so, is about. */
function isOf({ response }: Assertion, { userId }: Challenge, passkey: PasskeyRow): boolean {
  const handle = response.userHandle && Buffer.from(response.userHandle, 'base64url').toString('utf8')
  if (handle && handle !== passkey.user_id) return false
  return userId === undefined || userId === passkey.user_id
}

/**
 * Has a checked assertion count, once: false where its challenge was answered before, or the passkey was removed or used
 * meanwhile.
 */
export async function useAssertion(tx: Tx, ctx: Ctx, checked: CheckedAssertion): Promise<boolean> {
  const { challenge, sealed, passkey, counter } = checked
  if (!(await answerOnce(tx, sealed, challenge.expiresAt))) return false
  const { passkeys } = tx.t
  const used = await tx.q
    .update(passkeys)
    .set({ counter, last_used_at: ctx.now() })
    .where(and(eq(passkeys.id, passkey.id), eq(passkeys.counter, passkey.counter)))
    .returning({ id: passkeys.id })
  return used.length === 1
}
