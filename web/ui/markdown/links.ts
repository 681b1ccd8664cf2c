/** How the links and images of a document find their targets. */
export interface MarkdownBase {
  /** Folder of the document within its repo, `''` at the root. */
  folder: string
  /** The page that shows a file of the repo. */
  pageOf: (path: string) => string
  /** The address of a file's bytes. */
  bytesOf: (path: string) => string
  /** What the document's ids begin with, where several stand on one page. */
  idPrefix?: string
  /** The page of the repo whose discussions and commits are named by number and hash, where they become links. */
  referencesIn?: string
}

/** A link's target within the repo as a path, or `undefined` when it leaves the repo. `/x` counts from the repo's root. */
export function pathWithin(folder: string, target: string): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:/i.test(target) || target.startsWith('//')) return undefined
  const bare = target.replace(/[?#].*$/, '')
  const segments = bare.startsWith('/') || folder === '' ? [] : folder.split('/')
  for (const segment of bare.split('/')) {
    if (segment === '..') {
      if (segments.pop() === undefined) return undefined
    } else if (segment !== '' && segment !== '.') segments.push(decoded(segment))
  }
  return segments.join('/')
}

/** Ids of a document carry this prefix, so that no text can name an element of the page. */
export const idPrefix = 'card-'

/** Where a link goes: into the document, to a page of the repo, or out. */
export function resolveLink(href: string, base: MarkdownBase): { href: string; isExternal: boolean } {
  if (href.startsWith('#'))
    return { href: `#${base.idPrefix ?? idPrefix}${href.slice(1)}`, isExternal: false }
  const path = pathWithin(base.folder, href)
  if (path === undefined) return { href, isExternal: true }
  const fragment = /#.*$/.exec(href)?.[0] ?? ''
  return { href: base.pageOf(path) + fragment, isExternal: false }
}

/** Where an image comes from; nothing outside this server is ever asked for it. */
export function resolveImage(source: string, base: MarkdownBase): string | undefined {
  const own = sameOriginPath(source)
  if (own !== undefined) return own
  const path = pathWithin(base.folder, source)
  return path === undefined || path === '' ? undefined : base.bytesOf(path)
}

/** Cards copied from elsewhere on this server name their images in full. */
function sameOriginPath(source: string): string | undefined {
  if (!/^https?:/i.test(source) || !URL.canParse(source)) return undefined
  const url = new URL(source)
  return url.origin === globalThis.location?.origin ? url.pathname : undefined
}

/** A part of an address; as it stands where it is not well encoded, as browsers take it. */
export function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
