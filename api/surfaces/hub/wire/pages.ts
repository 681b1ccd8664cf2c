import type { Context } from 'hono'
import { Problem } from '../../../platform/problems/index.ts'
import type { Env } from '../../../core/http/env.ts'
import { rawPath } from './paths.ts'

/** What a cursor is good for: the path and all query parameters but itself. */
function contextOf(query: URLSearchParams, path: string): string {
  const rest = new URLSearchParams([...query].filter(([key]) => key !== 'cursor'))
  rest.sort()
  return `hub ${path}?${rest.toString()}`
}

/**
 * The query of a hub call; Hono's own parser keeps the last of repeated parameters only. Problem `invalid-request` for
 * NUL, which Postgres has no text with.
 */
export function queryOf(c: Context<Env>): URLSearchParams {
  const query = new URL(c.req.url, 'http://localhost').searchParams
  for (const [name, value] of query)
    if (value.includes('\0'))
      throw new Problem('invalid-request', { detail: `"${name}" must not contain NUL` })
  return query
}

/** The position a `cursor` stands for; Problem `invalid-cursor` for one that this list did not issue. */
export function positionOf(c: Context<Env>): unknown {
  const query = queryOf(c)
  const cursor = query.get('cursor')
  if (cursor === null) return undefined
  const position = c.var.ctx.secrets.openCursor(contextOf(query, rawPath(c.req.url)), cursor)
  if (position === undefined) throw new Problem('invalid-cursor')
  return position
}

/**
 * A page of a hub list: a JSON array, and a `Link` to the next page when there is one. The URL is absolute and a blank
 * follows the `;`, or the JavaScript client does not see it (hub-wire.md §1.5).
 */
export function pageResponse(
  c: Context<Env>,
  items: unknown[],
  next: unknown,
  headers: Record<string, string> = {},
) {
  return c.json(items, 200, { ...headers, ...linkTo(c, next) })
}

/** The `Link` header of a page; none behind the last one. */
export function linkTo(c: Context<Env>, next: unknown): Record<string, string> {
  if (next === undefined) return {}
  const query = queryOf(c)
  const path = rawPath(c.req.url)
  const cursor = c.var.ctx.secrets.signCursor(contextOf(query, path), next)
  query.set('cursor', cursor)
  const url = `${c.var.ctx.origin.baseUrl}${path}?${query.toString()}`
  return { Link: `<${url}>; rel="next"` }
}
