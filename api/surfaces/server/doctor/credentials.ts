import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'
import type { Env } from '../../../core/http/env.ts'
import { headerOf } from '../../../core/http/header.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { actorOfSession, actorOfToken, sessionCookieName } from '../../../rooms/auth/index.ts'
import type { Actor } from '../../../core/access/index.ts'

/** What came of the credentials of a request. Never the credentials themselves. */
export interface SeenAuth {
  kind: 'none' | 'token' | 'session' | 'basic' | 'unknown'
  accepted: boolean
  user?: string
  scopes?: readonly string[]
  text: string
  fix?: string
}

const newToken = 'Create a token under Settings → Access tokens, and run: hf auth login'

/** Looks at the credentials without an error where they do not hold. */
export async function credentialsOf(c: Context<Env>): Promise<SeenAuth> {
  const header = headerOf(c, 'authorization')
  if (header === undefined) return cookieOf(c)
  const [, scheme = '', credentials = ''] = /^(\S+)\s*(.*)$/.exec(header.trim()) ?? []
  if (/^bearer$/i.test(scheme)) return bearerOf(c, credentials)
  // Each try of a password counts for the sign-in throttle, so it is left to the addresses that take it.
  if (/^basic$/i.test(scheme))
    return {
      kind: 'basic',
      accepted: false,
      text: 'Basic credentials arrived. They are for git, git-lfs and files, and were not checked here.',
      fix: 'Elsewhere send "Authorization: Bearer <token>".',
    }
  return {
    kind: 'unknown',
    accepted: false,
    text: 'The header Authorization is neither Bearer nor Basic.',
    fix: 'Send "Authorization: Bearer <token>".',
  }
}

async function bearerOf(c: Context<Env>, token: string): Promise<SeenAuth> {
  const seen = await held(() => actorOfToken(c.var.ctx, token))
  if (!(seen instanceof Problem)) return accepted('token', seen)
  const faults = [
    !token.startsWith('hf_') && 'Tokens of this server start with hf_asl_.',
    /\s/.test(token) && 'It has a space or a line break.',
  ].filter(Boolean)
  return {
    kind: 'token',
    accepted: false,
    text: [
      seen.code === 'token-expired' ? 'The token has expired.' : 'The token is not valid.',
      ...faults,
    ].join(' '),
    fix: newToken,
  }
}

async function cookieOf(c: Context<Env>): Promise<SeenAuth> {
  const secret = getCookie(c, sessionCookieName)
  if (!secret)
    return {
      kind: 'none',
      accepted: true,
      text: 'No credentials arrived. If you sent some, a redirect to another host or the proxy removed them.',
    }
  const seen = await held(() => actorOfSession(c.var.ctx, secret, false))
  if (!(seen instanceof Problem)) return accepted('session', seen)
  return { kind: 'session', accepted: false, text: 'The session has ended.', fix: 'Sign in again.' }
}

async function held(read: () => Promise<Actor>): Promise<Actor | Problem> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof Problem && error.status < 500) return error
    throw error
  }
}

function accepted(kind: 'token' | 'session', actor: Actor): SeenAuth {
  if (actor.kind !== 'user') return { kind, accepted: false, text: 'The credentials name no person.' }
  const scopes = actor.auth.kind === 'token' ? { scopes: [...actor.auth.scopes] } : {}
  return { kind, accepted: true, user: actor.username, ...scopes, text: `Signed in as ${actor.username}.` }
}
