import type { Ctx } from '../../../core/ctx.ts'
import { providerKey, refuseLocked } from '../throttle.ts'
import { discover } from './discovery.ts'
import { challengeOf, localNext, newFlow, type Flow } from './flow.ts'
import { openTicket } from './identities.ts'
import { redirectUri, requireProvider } from './provider.ts'

/** What a browser asks for when it begins to sign in. */
export interface Beginning {
  next?: string | undefined
  /** From `POST /me/identities`: connects the identity to the account that is signed in. */
  ticket?: string | undefined
  /** The secret of an invite that the sign-in redeems. */
  invite?: string | undefined
  /** Has the provider ask for credentials though it knows the person: they confirm who they are. */
  isConfirmation?: boolean
}

/** Begins a sign-in: where to send the browser, and what its cookie holds. Throws `Refused`, Problem `throttled`. */
export async function beginSignIn(
  ctx: Ctx,
  providerId: string,
  { next, ticket, invite, isConfirmation = false }: Beginning,
): Promise<{ url: string; flow: Flow }> {
  const provider = requireProvider(ctx, providerId)
  await refuseLocked(ctx, [providerKey(ctx.origin.ip)])
  const connect = ticket === undefined ? undefined : openTicket(ctx, provider.id, ticket)
  const metadata = await discover(ctx, provider)
  const flow = newFlow(ctx, { provider: provider.id, next: localNext(next), connect, invite })
  const url = new URL(metadata.authorization_endpoint)
  const query = {
    response_type: 'code',
    client_id: provider.client_id,
    redirect_uri: redirectUri(ctx.config, provider),
    scope: [...new Set(['openid', ...provider.scopes])].join(' '),
    state: flow.state,
    nonce: flow.nonce,
    code_challenge: challengeOf(flow),
    code_challenge_method: 'S256',
    ...(isConfirmation && { prompt: 'login' }),
  }
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return { url: url.href, flow }
}
