import type { Ctx } from '../../../core/ctx.ts'
import { UniqueViolation } from '../../../stores/db/index.ts'
import { providerKey, refuseLocked } from '../throttle.ts'
import { readPerson } from './claims.ts'
import { discover } from './discovery.ts'
import { exchangeCode } from './exchange.ts'
import { openFlow } from './flow.ts'
import { isSession } from './identities.ts'
import { requireProvider } from './provider.ts'
import { Refused } from './refused.ts'
import { signIn, type Arrival } from './sign-in.ts'
import { verifyIdToken } from './tokens.ts'

/** What the provider sends the browser back with. */
export interface Callback {
  state?: string | undefined
  code?: string | undefined
  error?: string | undefined
  iss?: string | undefined
}

/**
 * Finishes a sign-in: answers the secret of the session, and where to go. Throws `Refused` when the answer is not the one
 * to what this browser asked, or the account may not come in; Problem `throttled`.
 */
export async function finishSignIn(
  ctx: Ctx,
  providerId: string,
  callback: Callback,
  cookies: { flow: string | undefined; session: string | undefined },
): Promise<{ secret: string; next: string }> {
  const provider = requireProvider(ctx, providerId)
  await refuseLocked(ctx, [providerKey(ctx.origin.ip)])
  const flow = openFlow(ctx, cookies.flow)
  if (!flow || flow.provider !== provider.id || flow.state !== callback.state)
    throw new Refused('not-started')
  if (flow.connect && !isSession(ctx, flow.connect)) throw new Refused('signed-out')
  const metadata = await discover(ctx, provider)
  refuseMixUp(callback.iss, metadata)
  if (callback.error !== undefined || callback.code === undefined)
    throw new Refused('denied-by-provider', { fault: errorWord(callback.error) })
  const { idToken, accessToken } = await exchangeCode(ctx, provider, metadata, {
    code: callback.code,
    verifier: flow.verifier,
  })
  const claims = await verifyIdToken(ctx, provider, metadata, { idToken, accessToken, nonce: flow.nonce })
  const person = await readPerson(ctx, provider, metadata, { claims, accessToken })
  return { secret: await signInOnce(ctx, { provider, person, flow }, cookies.session), next: flow.next }
}

/** RFC 9207 §2.4: the answer says whose it is, where the provider says that it does. */
function refuseMixUp(
  iss: string | undefined,
  metadata: { issuer: string; authorization_response_iss_parameter_supported: boolean },
): void {
  const isRequired = metadata.authorization_response_iss_parameter_supported
  if (iss === undefined ? isRequired : iss !== metadata.issuer)
    throw new Refused('wrong-answer', { fault: 'the answer comes from another issuer' })
}

/** An error of RFC 6749 §4.1.2.1 for the audit: the word alone, never what is said beside it. */
const errorWord = (error = 'no code'): string => error.replaceAll(/[^\w-]/g, ' ').slice(0, 100)

/** Two that come at once may want the same name or make the same organisation: the one that lost tries once more. */
async function signInOnce(ctx: Ctx, arrival: Arrival, session: string | undefined): Promise<string> {
  try {
    return await ctx.db.write((tx) => signIn(tx, ctx, arrival, session))
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error
    return ctx.db.write((tx) => signIn(tx, ctx, arrival, session))
  }
}
