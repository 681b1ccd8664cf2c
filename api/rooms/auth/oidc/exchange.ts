import { z } from 'zod'
import type { Ctx } from '../../../core/ctx.ts'
import { OutboundError, type SafeAnswer } from '../../../platform/net/index.ts'
import { jsonOf, misconfigured, orDown, type Metadata } from './discovery.ts'
import { ask, redirectUri, type Provider } from './provider.ts'
import { Refused } from './refused.ts'

const Tokens = z.object({ id_token: z.string(), access_token: z.string().optional() })
const ErrorAnswer = z.object({ error: z.string().max(100) })

/** RFC 6749 §2.3.1: both halves are form-encoded before they are joined. */
const formEncoded = (text: string): string => new URLSearchParams({ '': text }).toString().slice(1)

function authentication({ client_id, client_secret }: Provider, methods: string[]) {
  if (client_secret === '') return { headers: {}, fields: { client_id } }
  if (methods.includes('client_secret_post') && !methods.includes('client_secret_basic'))
    return { headers: {}, fields: { client_id, client_secret } }
  const pair = `${formEncoded(client_id)}:${formEncoded(client_secret)}`
  return { headers: { Authorization: `Basic ${Buffer.from(pair).toString('base64')}` }, fields: {} }
}

/** Exchanges a code for tokens (RFC 6749 §4.1.3, RFC 7636 §4.5). Throws {@link Refused}. */
export async function exchangeCode(
  ctx: Ctx,
  provider: Provider,
  metadata: Metadata,
  { code, verifier }: { code: string; verifier: string },
): Promise<{ idToken: string; accessToken: string | undefined }> {
  const { headers, fields } = authentication(provider, metadata.token_endpoint_auth_methods_supported)
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri(ctx.config, provider),
    code_verifier: verifier,
    ...fields,
  })
  const answer = await send(ctx, provider, metadata.token_endpoint, form, headers)
  const tokens = Tokens.safeParse(jsonOf(answer))
  if (!tokens.success) throw misconfigured('its token endpoint answered without an ID token')
  return { idToken: tokens.data.id_token, accessToken: tokens.data.access_token }
}

async function send(
  ctx: Ctx,
  provider: Provider,
  url: string,
  form: URLSearchParams,
  headers: Record<string, string>,
): Promise<SafeAnswer> {
  const answer = ask(ctx, provider, url, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/x-www-form-urlencoded' },
    body: Buffer.from(form.toString()),
  })
  const { status, body } = await answer.catch((error: unknown) => {
    if (error instanceof OutboundError)
      throw new Refused('provider-down', { fault: error.message, cause: error })
    throw error
  })
  if (status === 400 || status === 401) throw refusedCode(body)
  return orDown(answer)
}

function refusedCode(body: Buffer): Refused {
  const error = ErrorAnswer.safeParse(jsonOf({ body })).data?.error ?? 'no reason'
  const fault = `its token endpoint refused: ${error.replaceAll(/[^\w-]/g, ' ')}`
  // A wrong secret is ours to correct; a wrong code comes from the browser.
  return error === 'invalid_grant' ? new Refused('wrong-answer', { fault }) : misconfigured(fault)
}

/** The claims of the userinfo endpoint, which must be of the same subject (OpenID Connect Core 1.0, section 5.3.2). */
export async function readUserinfo(
  ctx: Ctx,
  provider: Provider,
  { url, accessToken, subject }: { url: string; accessToken: string; subject: string },
): Promise<Record<string, unknown>> {
  const headers = { Authorization: `Bearer ${accessToken}` }
  const claims = jsonOf(await orDown(ask(ctx, provider, url, { headers })))
  if (typeof claims !== 'object' || claims === null || Array.isArray(claims))
    throw misconfigured('its userinfo is no JSON object')
  if ((claims as { sub?: unknown }).sub !== subject)
    throw new Refused('wrong-answer', { fault: 'userinfo is about another subject' })
  return claims as Record<string, unknown>
}
