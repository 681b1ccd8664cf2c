import type { Context } from 'hono'
import { Problem } from '../../platform/problems/index.ts'
import { movedLocation, RepoMoved } from '../../rooms/repos/index.ts'
import type { Env } from '../../core/http/env.ts'

/**
 * The redirect for a repo that has another address now, on every surface and method: 307, since 301 and 302 turn POST
 * into GET and 308 outlives the redirect (hub-wire.md §3). Anything else, and an address that is not in the path, comes
 * back as the error to render.
 */
export function redirectMoved(c: Context<Env>, error: unknown): Response | { error: unknown } {
  if (!(error instanceof RepoMoved)) return { error }
  const location = movedLocation(c.req.url, error)
  if (location !== undefined) return c.body(null, 307, { Location: location })
  return { error: new Problem('repo-not-found', { detail: `${error.message} now.`, cause: error }) }
}
