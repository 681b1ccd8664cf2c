import type { Context, MiddlewareHandler, Next } from 'hono'
import { reservedNamespaces } from '../../../../shared/vocabulary.ts'
import type { Env } from '../../../core/http/env.ts'
import { addressOfSingle } from './address-of-single.ts'
import { rawPath } from './paths.ts'

// What git and git-lfs ask of a repo, behind a single name.
const single =
  /^(?<type>\/(?:models|datasets))?\/(?<name>[^/]+)(?<rest>\/(?:info\/(?:refs$|lfs\/.+)|(?<pack>git-(?:upload|receive)-pack$)))/

const isReserved = (name: string) => (reservedNamespaces as readonly string[]).includes(name)

interface SingleAddress {
  type: 'model' | 'dataset'
  name: string
  /** The same address in a namespace. */
  inNamespace: (at: { ns: string; name: string }) => string
}

/** The parts of an address of git's with a single name; `undefined` for any other. */
function parse(c: Context<Env>): SingleAddress | undefined {
  const path = rawPath(c.req.url)
  const { type = '', name: written = '', rest = '', pack } = single.exec(path)?.groups ?? {}
  if (rest === '' || (type === '' && isReserved(written))) return undefined
  // A pack is asked for by POST. Otherwise that is the page of a repo which is called so.
  if (pack !== undefined && c.req.method !== 'POST') return undefined
  const [, name = '', suffix = ''] = /^(.*?)(\.git)?$/.exec(written) ?? []
  const { search } = new URL(c.req.url, 'http://localhost')
  return {
    type: type === '/datasets' ? 'dataset' : 'model',
    name,
    inNamespace: (at) =>
      `${type}/${encodeURIComponent(at.ns)}/${encodeURIComponent(at.name)}${suffix}${rest}${search}`,
  }
}

/**
 * Sends git and git-lfs on where their address has a single name: to `hubapi.default_namespace`, or to what an upstream
 * knows by it (hub-wire.md §3). It is no route: as one, `/:name/info/refs` would take the name `info` from the repos of every
 * namespace.
 */
export const singleNameGit: MiddlewareHandler<Env> = (c, next) => {
  const address = parse(c)
  return address ? redirectOr(c, next, address) : next()
}

async function redirectOr(c: Context<Env>, next: Next, address: SingleAddress): Promise<Response | void> {
  const found = await addressOfSingle(c.var.ctx, address.type, address.name)
  return found ? c.redirect(address.inNamespace(found), 307) : next()
}
