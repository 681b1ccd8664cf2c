import { hash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Config } from '../../../platform/config/index.ts'
import type { Ctx } from '../../../core/ctx.ts'

/** The cookie that binds a sign-in to the browser in which it began (identity.md §1). */
export const flowCookieName = 'service_sign_in'

const lifeMs = 10 * 60_000
const context = 'oidc sign-in'

const Flow = z.object({
  provider: z.string(),
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  next: z.string(),
  /** The session to which an identity is to be connected. */
  connect: z.object({ userId: z.string(), sessionId: z.string() }).optional(),
  /** The secret of the invite that is to be redeemed. */
  invite: z.string().optional(),
  expiresAt: z.number(),
})

/** A sign-in with a provider that is under way. */
export type Flow = z.output<typeof Flow>

const random = () => randomBytes(32).toString('base64url')

/** Begins a sign-in, with random values. */
export function newFlow(ctx: Ctx, more: Pick<Flow, 'provider' | 'next' | 'connect' | 'invite'>): Flow {
  return {
    ...more,
    state: random(),
    nonce: random(),
    verifier: random(),
    expiresAt: ctx.now().getTime() + lifeMs,
  }
}

/** RFC 7636 §4.2, method S256. */
export const challengeOf = ({ verifier }: Flow): string => hash('sha256', verifier, 'base64url')

/** `Set-Cookie` that carries the sign-in, sealed: it holds the code verifier and, it may be, an invite. */
export function flowCookie({ config, secrets }: Ctx, flow: Flow): string {
  return `${flowCookieName}=${secrets.seal(context, JSON.stringify(flow))}; Max-Age=${lifeMs / 1000}${attributes(config)}`
}

/** `Set-Cookie` that ends the sign-in in this browser. */
export const clearedFlowCookie = (config: Config): string =>
  `${flowCookieName}=; Max-Age=0${attributes(config)}`

// Lax: the provider sends the browser back from another site.
function attributes({ server }: Config): string {
  return `; Path=/auth/oidc; HttpOnly; SameSite=Lax${server.public_url.startsWith('https:') ? '; Secure' : ''}`
}

/** The sign-in that a cookie carries; nothing when it is none of ours or has expired. */
export function openFlow({ secrets, now }: Ctx, cookie: string | undefined): Flow | undefined {
  const text = cookie === undefined ? undefined : secrets.open(context, cookie)
  if (text === undefined) return undefined
  const flow = Flow.parse(JSON.parse(text))
  return flow.expiresAt > now().getTime() ? flow : undefined
}

/** Where to go after signing in: a path of this server, or `/` (reliability.md §3). */
export function localNext(next: string | undefined): string {
  const isLocal = next !== undefined && next.length <= 2048 && /^\/(?![/\\])[^\p{Cc}]*$/u.test(next)
  return isLocal ? next : '/'
}
