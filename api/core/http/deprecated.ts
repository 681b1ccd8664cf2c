import type { MiddlewareHandler } from 'hono'
import type { Env } from './env.ts'

/** An operation that will go: since when callers should use another, and from when it may be gone. */
export interface Deprecation {
  /** `YYYY-MM-DD`. */
  since: string
  /** `YYYY-MM-DD`, half a year after `since` or later. */
  sunset: string
  /** Address that says what to use instead. */
  link?: string
}

const at = (day: string) => {
  const time = Date.parse(`${day}T00:00:00Z`)
  if (Number.isNaN(time)) throw new Error(`"${day}" is no day: 2026-12-31`)
  return new Date(time)
}

/** Tells callers of an operation that it will go: `Deprecation` (RFC 9745), `Sunset` and its link (RFC 8594). */
export function deprecated({ since, sunset, link }: Deprecation): MiddlewareHandler<Env> {
  const headers: [string, string][] = [
    ['Deprecation', `@${at(since).getTime() / 1000}`],
    ['Sunset', at(sunset).toUTCString()],
    ...(link === undefined ? [] : [['Link', `<${link}>; rel="deprecation"`] as [string, string]]),
  ]
  return async (c, next) => {
    for (const [name, value] of headers) c.header(name, value)
    await next()
  }
}
