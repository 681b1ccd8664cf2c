import type { Ctx } from '../../../core/ctx.ts'
import { audit } from '../../../core/events/index.ts'
import { invalidField, Problem } from '../../../platform/problems/index.ts'
import { newId, UniqueViolation, type Tx } from '../../../stores/db/index.ts'
import { findUserById, lockNamespace, type User } from '../../namespaces/index.ts'
import { isLocal } from '../local-login.ts'
import { requireFreshSession, type SessionUser } from '../require-session.ts'
import { requireRelyingParty } from './assertion.ts'
import { answerOnce, challengeIn, newChallenge, openChallenge, type Challenge } from './challenge.ts'
import { passkeysOf, recoveryCodesLeft, type PasskeyRow } from './queries.ts'
import { replaceRecoveryCodes } from './recovery-codes.ts'
import { algorithms, webauthn } from './webauthn.ts'

/** What a browser answers when it has made a passkey. */
export interface Registration {
  id: string
  rawId: string
  type: 'public-key'
  response: { clientDataJSON: string; attestationObject: string; transports?: string[] | undefined }
}

/** A phone, a laptop, a security key and a spare of each; far below what a list of allowed keys may hold. */
const mostPerUser = 20

/**
 * The caller, who may add a passkey: signed in freshly to a local account. Problems: `session-required`,
 * `fresh-sign-in-required`, `no-local-password`, `state-conflict` where browsers refuse to make any.
 */
async function requireLocal(ctx: Ctx): Promise<{ caller: SessionUser; user: User }> {
  const caller = requireFreshSession(ctx)
  const user = await findUserById(ctx.db, caller.id)
  if (!user?.password_hash || !isLocal(ctx, user.username))
    throw new Problem('no-local-password', {
      detail:
        'You sign in with a provider, which asks for your second factor. Passkeys are for local accounts.',
    })
  return { caller, user }
}

/** What a browser needs to make a passkey for the caller (WebAuthn, `PublicKeyCredentialCreationOptionsJSON`). */
export async function passkeyOptions(ctx: Ctx): Promise<{ challenge: string; [member: string]: unknown }> {
  const { caller, user } = await requireLocal(ctx)
  const party = requireRelyingParty(ctx)
  const { generateRegistrationOptions } = await webauthn()
  const sessionId = caller.auth.sessionId
  const options = await generateRegistrationOptions({
    rpID: party.id,
    rpName: party.name,
    userID: new TextEncoder().encode(user.id),
    userName: user.username,
    userDisplayName: user.display_name,
    challenge: newChallenge(ctx, { purpose: 'register', userId: user.id, sessionId }),
    timeout: 5 * 60_000,
    attestationType: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: algorithms,
    excludeCredentials: (await passkeysOf(ctx.db, user.id)).map(({ credential_id, transports }) => ({
      id: credential_id,
      transports,
    })),
  })
  return { ...options }
}

/** A passkey that was added, and recovery codes where the account had none, which are shown this once. */
export interface AddedPasskey {
  passkey: PasskeyRow
  recoveryCodes: string[] | undefined
}

/**
 * Saves a passkey that the caller's browser has made. From then on a password alone no longer signs them in. Problems as of
 * {@link passkeyOptions}, and `validation-failed`, `already-exists`.
 */
export async function addPasskey(ctx: Ctx, name: string, given: Registration): Promise<AddedPasskey> {
  const { caller, user } = await requireLocal(ctx)
  const { challenge, sealed, ...made } = await verified(ctx, caller, given)
  const row: PasskeyRow = {
    ...made,
    id: newId(),
    user_id: user.id,
    name,
    transports: given.response.transports ?? [],
    created_at: ctx.now(),
    last_used_at: null,
  }
  try {
    return await ctx.db.write(async (tx) => {
      await lockNamespace(tx, user.id)
      if (!(await answerOnce(tx, sealed, challenge.expiresAt))) throw unusable('was sent before. Start again')
      await refuseTooMany(tx, user.id)
      await tx.q.insert(tx.t.passkeys).values(row)
      const target = { type: 'user', id: user.id, name: user.username }
      await audit(tx, ctx, { action: 'passkey.create', target, after: { passkey_id: row.id, name } })
      const hasCodes = (await recoveryCodesLeft(tx, user.id)) > 0
      return { passkey: row, recoveryCodes: hasCodes ? undefined : await replaceRecoveryCodes(tx, ctx, user) }
    })
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error
    throw new Problem('already-exists', { detail: 'This passkey is saved already.' })
  }
}

async function refuseTooMany(tx: Tx, userId: string): Promise<void> {
  if ((await passkeysOf(tx, userId)).length >= mostPerUser)
    throw new Problem('state-conflict', { detail: `You have ${mostPerUser} passkeys. Remove one first.` })
}

const unusable = (message: string): Problem => invalidField('credential', message, 'invalid')

type Verified = Pick<PasskeyRow, 'credential_id' | 'public_key' | 'counter'> & {
  challenge: Challenge
  sealed: string
}

async function verified(ctx: Ctx, { id, auth }: SessionUser, given: Registration): Promise<Verified> {
  const party = requireRelyingParty(ctx)
  const answered = challengeIn(given.response.clientDataJSON)
  const challenge = answered && openChallenge(ctx, 'register', answered.sealed)
  if (!challenge || challenge.userId !== id || challenge.sessionId !== auth.sessionId)
    throw unusable('was made too long ago, or for another sign-in. Start again')
  const { verifyRegistrationResponse } = await webauthn()
  await refuseCertificates(given)
  try {
    const { verified: isRight, registrationInfo } = await verifyRegistrationResponse({
      response: {
        ...given,
        response: { ...given.response, transports: given.response.transports ?? [] },
        clientExtensionResults: {},
      },
      expectedChallenge: answered.encoded,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      supportedAlgorithmIDs: algorithms,
    })
    if (!isRight) throw new Error('the attestation is wrong')
    const { credential } = registrationInfo
    return {
      challenge,
      sealed: answered.sealed,
      credential_id: credential.id,
      public_key: Buffer.from(credential.publicKey).toString('base64url'),
      counter: credential.counter,
    }
  } catch (error) {
    ctx.log.info({ err: error }, 'a new passkey was refused')
    throw unusable('is not a passkey that this server can use. Start again, or use another device')
  }
}

/**
 * We ask for no attestation, so browsers send none, or one that the key itself has signed. One with certificates would have
 * the library ask addresses that they name.
 */
async function refuseCertificates({ response }: Registration): Promise<void> {
  const { decodeAttestationObject } = await webauthn()
  let isPlain = false
  try {
    const decoded = decodeAttestationObject(
      new Uint8Array(Buffer.from(response.attestationObject, 'base64url')),
    )
    const format = decoded.get('fmt')
    isPlain = format === 'none' || (format === 'packed' && decoded.get('attStmt').get('x5c') === undefined)
  } catch {
    isPlain = false
  }
  if (!isPlain) throw unusable('carries an attestation, which this server does not ask for')
}
