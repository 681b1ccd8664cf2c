import type { Context, MiddlewareHandler } from 'hono'
import { getCookie } from 'hono/cookie'
import { anonymous, type Actor } from '../../core/access/index.ts'
import {
  actorOfBasic,
  actorOfSession,
  actorOfToken,
  clearedSessionCookie,
  sessionCookieName,
} from '../../rooms/auth/index.ts'
import type { Ctx } from '../../core/ctx.ts'
import { Problem } from '../../platform/problems/index.ts'
import { count } from '../../platform/telemetry/index.ts'
import type { Env } from '../../core/http/env.ts'
import { headerOf } from '../../core/http/header.ts'
import { nativeBase } from '../../core/http/surface.ts'

// Where basic credentials count: on git's and git-lfs' addresses, and to read files, for `.netrc`. Browsers would send
// them by themselves, as they do cookies, so they change and reveal nothing else.
const gitPath = /\.git\/|\/info\/refs$|\/git-(?:upload|receive)-pack$|\/info\/lfs\//

const filePath = /^\/(?:[^/]+\/){1,3}(?:resolve|raw)\//
const takesBasic = (path: string) => gitPath.test(path) || filePath.test(path)

/** Sent by a page with what it asks for by itself while it is left alone: such requests keep no session alive. */
const backgroundHeader = 'x-arsenal-background'

/** Signing in and what the sign-in page reads must work with the cookie of a session that has ended. */
const worksSignedOut = (path: string) =>
  path.startsWith(`${nativeBase}/auth/`) && path !== `${nativeBase}/auth/logout`

async function byHeader(ctx: Ctx, header: string, path: string): Promise<Actor> {
  const [, scheme = '', credentials = ''] = /^(\S+)\s*(.*)$/.exec(header.trim()) ?? []
  if (/^bearer$/i.test(scheme)) return actorOfToken(ctx, credentials)
  if (!/^basic$/i.test(scheme))
    throw new Problem('bad-credentials', { detail: 'Send "Authorization: Bearer …".' })
  if (!takesBasic(path))
    throw new Problem('bad-credentials', {
      detail: 'Basic credentials are for git, LFS and files. Send "Authorization: Bearer …".',
    })
  const [name = '', secret = ''] = splitOnce(Buffer.from(credentials, 'base64').toString(), ':')
  // A token alone stands where the name does. Of another name nothing was guessed: git sends what an address holds.
  if (secret === '') return name.startsWith('hf_') ? actorOfBasic(ctx, ctx.origin, '', name) : anonymous
  return actorOfBasic(ctx, ctx.origin, name.replaceAll(/\p{Cc}/gu, '').slice(0, 254), secret)
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}

/** A cookie speaks on the native surface, where `csrf` guards changes; elsewhere for reading alone. */
async function byCookie(c: Context<Env>): Promise<Actor> {
  const { path, method } = c.req
  const secret = getCookie(c, sessionCookieName)
  const isNative = path.startsWith(`${nativeBase}/`)
  if (!secret || worksSignedOut(path)) return anonymous
  if (!isNative && method !== 'GET' && method !== 'HEAD') return anonymous
  try {
    return await actorOfSession(c.var.ctx, secret, headerOf(c, backgroundHeader) === undefined)
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 401) throw error
    // The page that loads now asks who is signed in, and is the one to say that they were signed out.
    if (!isNative && error.code === 'session-idle') return anonymous
    c.var.headers['Set-Cookie'] = clearedSessionCookie(c.var.ctx.config)
    // Pages must load for one whose session has ended; the native API says so once, then the cookie is gone.
    if (!isNative) return anonymous
    throw error
  }
}

/**
 * Sets `ctx.actor`: the owner of the bearer token, of git's basic credentials, or of the session cookie; anonymous
 * without any. What is presented and does not hold is Problem `bad-credentials` or `token-expired` on every route.
 * `limit` comes behind it, and counts by address what is refused here.
 */
export const identifyCaller =
  (limit: MiddlewareHandler<Env>): MiddlewareHandler<Env> =>
  async (c, next) => {
    const ctx = c.get('ctx')
    const header = headerOf(c, 'authorization')
    try {
      ctx.actor = header ? await byHeader(ctx, header, c.req.path) : await byCookie(c)
    } catch (refusal) {
      if (refusal instanceof Problem && refusal.status === 401)
        count('arsenal.auth.failures', {
          reason: refusal.code === 'token-expired' ? 'expired' : 'credentials',
        })
      return limit(c, () => Promise.reject(refusal as Error))
    }
    return limit(c, next)
  }
