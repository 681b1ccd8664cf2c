import type { RepoAddress } from '../address.ts'

/** Thrown instead of a Problem where the address is an old one, or spelled in another case, of a repo the caller may see. */
export class RepoMoved extends Error {
  readonly from: RepoAddress
  readonly to: RepoAddress

  constructor(from: RepoAddress, to: RepoAddress) {
    super(`${from.type} ${from.ns}/${from.name} is at ${to.ns}/${to.name}`)
    this.name = 'RepoMoved'
    this.from = from
    this.to = { type: to.type, ns: to.ns, name: to.name }
  }
}

// Neither word of these is part of a repo's address, though both could be a namespace.
const nativePrefix = /^\/api\/service\/v\d+\/repos\//

const decoded = (segment: string) => {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/**
 * The same request at the repo's present address: path and query of `url` as they came, with the first `{ns}/{name}`
 * (or `{name}.git`) replaced. Relative, since old hub clients keep only the path of a redirect (hub-wire.md §3).
 * `undefined` when the address is not in the path but in the body.
 */
export function movedLocation(url: string, { from, to }: RepoMoved): string | undefined {
  const { pathname, search } = new URL(url, 'http://localhost')
  const prefix = nativePrefix.exec(pathname)?.[0] ?? ''
  const segments = pathname.slice(prefix.length).split('/')
  for (const [i, segment] of segments.entries()) {
    const name = segments[i + 1]
    if (name === undefined || decoded(segment) !== from.ns) continue
    const suffix =
      decoded(name) === from.name ? '' : decoded(name) === `${from.name}.git` ? '.git' : undefined
    if (suffix === undefined) continue
    segments.splice(i, 2, encodeURIComponent(to.ns), encodeURIComponent(to.name) + suffix)
    return `${prefix}${segments.join('/')}${search}`
  }
  return undefined
}
