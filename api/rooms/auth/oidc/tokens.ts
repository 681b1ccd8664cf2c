import { hash } from 'node:crypto'
import { errors, jwtVerify, type JWTPayload, type JWTVerifyOptions } from 'jose'
import type { Ctx } from '../../../core/ctx.ts'
import { algorithms, type Metadata } from './discovery.ts'
import { keyOf } from './keys.ts'
import type { Provider } from './provider.ts'
import { Refused } from './refused.ts'

const toleranceS = 60
const longestSubject = 255

/** What an ID token says once it is known to be the provider's, for us, of now and for this sign-in. */
export type Claims = JWTPayload & { sub: string }

const wrong = (fault: string, cause?: unknown): Refused => new Refused('wrong-answer', { fault, cause })

async function verify(
  ctx: Ctx,
  provider: Provider,
  token: string,
  { supported, required }: { supported: string[]; required: string[] },
): Promise<{ claims: Claims; algorithm: string }> {
  const options: JWTVerifyOptions = {
    issuer: provider.issuer,
    audience: provider.client_id,
    algorithms: algorithms.filter((each) => supported.includes(each)),
    clockTolerance: toleranceS,
    currentDate: ctx.now(),
    requiredClaims: required,
  }
  try {
    const { payload, protectedHeader } = await jwtVerify(token, keyOf(ctx, provider), options)
    refuseFuture(payload, ctx.now())
    refuseOthers(payload, provider)
    return { claims: payload as Claims, algorithm: protectedHeader.alg }
  } catch (error) {
    // jose's words name the claim or the check, and hold nothing of the token.
    if (error instanceof errors.JOSEError) throw wrong(error.message, error)
    throw error
  }
}

function refuseFuture({ iat }: JWTPayload, now: Date): void {
  if (typeof iat !== 'number' || iat > now.getTime() / 1000 + toleranceS)
    throw wrong('"iat" lies in the future')
}

/** OpenID Connect Core 1.0, section 3.1.3.7, rules 4 and 5; and the subject that accounts are found by. */
function refuseOthers({ aud, azp, sub }: JWTPayload, { client_id }: Provider): void {
  if (Array.isArray(aud) && aud.length > 1 && azp === undefined) throw wrong('"azp" is missing')
  if (azp !== undefined && azp !== client_id) throw wrong('"azp" names another client')
  const isSubject = typeof sub === 'string' && sub.length <= longestSubject && /^\P{Cc}+$/u.test(sub)
  if (sub !== undefined && !isSubject) throw wrong('"sub" is empty, too long or no plain text')
}

/** Verifies an ID token that came with `accessToken` in answer to a request with `nonce`. Throws {@link Refused}. */
export async function verifyIdToken(
  ctx: Ctx,
  provider: Provider,
  metadata: Metadata,
  { idToken, accessToken, nonce }: { idToken: string; accessToken: string | undefined; nonce: string },
): Promise<Claims> {
  const supported = metadata.id_token_signing_alg_values_supported
  const required = ['sub', 'exp', 'iat', 'nonce']
  const { claims, algorithm } = await verify(ctx, provider, idToken, { supported, required })
  if (claims['nonce'] !== nonce) throw wrong('"nonce" is not the one that was sent')
  const atHash = claims['at_hash']
  if (atHash !== undefined && accessToken !== undefined && atHash !== halfHash(accessToken, algorithm))
    throw wrong('"at_hash" does not fit the access token')
  return claims
}

/** OpenID Connect Core 1.0, section 3.1.3.6; Ed25519 hashes with SHA-512. */
function halfHash(text: string, algorithm: string): string {
  const digest = hash(algorithm === 'EdDSA' ? 'sha512' : 'sha256', text, 'buffer')
  return digest.subarray(0, digest.length / 2).toString('base64url')
}

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'

/** Verifies a logout token (OpenID Connect Back-Channel Logout 1.0, section 2.6). Throws {@link Refused}. */
export async function verifyLogoutToken(
  ctx: Ctx,
  provider: Provider,
  metadata: Metadata,
  token: string,
): Promise<{ subject?: string; sid?: string }> {
  const supported = metadata.id_token_signing_alg_values_supported
  const required = ['exp', 'iat', 'events']
  const { claims } = await verify(ctx, provider, token, { supported, required })
  const { events, nonce, sub, sid } = claims as JWTPayload & Record<string, unknown>
  const isLogout = typeof events === 'object' && events !== null && logoutEvent in events
  if (!isLogout) throw wrong('"events" names no logout')
  if (nonce !== undefined) throw wrong('a logout token has no "nonce"')
  if (sub === undefined && typeof sid !== 'string') throw wrong('neither "sub" nor "sid" is given')
  return { ...(sub !== undefined && { subject: sub }), ...(typeof sid === 'string' && { sid }) }
}
