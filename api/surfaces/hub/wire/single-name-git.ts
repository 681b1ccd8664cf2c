import type { Context, MiddlewareHandler } from 'hono'
import { reservedNamespaces } from '../../../../shared/vocabulary.ts'
import type { Env } from '../../../core/http/env.ts'
import { rawPath } from './paths.ts'

// What git and git-lfs ask of a repo, behind a single name.
const single =
  /^(?<type>\/(?:models|datasets))?\/(?<name>[^/]+)(?<rest>\/(?:info\/(?:refs$|lfs\/.+)|(?<pack>git-(?:upload|receive)-pack$)))/

const isReserved = (name: string) => (reservedNamespaces as readonly string[]).includes(name)

/** The same address with the namespace in it; `undefined` for anything but git's of a repo with a single name. */
function inNamespace(c: Context<Env>, namespace: string): string | undefined {
  const path = rawPath(c.req.url)
  const { type = '', name = '', rest = '', pack } = single.exec(path)?.groups ?? {}
  if (rest === '' || (type === '' && isReserved(name))) return undefined
  // A pack is asked for by POST. Otherwise that is the page of a repo which is called so.
  if (pack !== undefined && c.req.method !== 'POST') return undefined
  return `${type}/${encodeURIComponent(namespace)}/${name}${rest}${new URL(c.req.url, 'http://localhost').search}`
}

/**
 * Sends git and git-lfs on to `hubapi.default_namespace` where their address has a single name (hub-wire.md §3). It is no
 * route: as one, `/:name/info/refs` would take the name `info` from the repos of every namespace.
 */
export const singleNameGit: MiddlewareHandler<Env> = async (c, next) => {
  const { default_namespace } = c.var.ctx.config.hubapi
  const address = default_namespace === '' ? undefined : inNamespace(c, default_namespace)
  return address === undefined ? next() : c.redirect(address, 307)
}
