import { lookup } from 'mime-types'
import { contentPolicy } from './security-headers.ts'

// Shown in place by every browser without running anything (reliability.md §5).
const displayable =
  /^(?:image\/(?:png|jpeg|gif|webp|avif|bmp|apng|vnd\.microsoft\.icon|x-icon)|audio\/.+|video\/.+|application\/pdf)$/
const textual =
  /^(?:text\/.+|application\/(?:json|ld\+json|xml|javascript|ecmascript|x-sh|x-tex|x-yaml|yaml|toml|sql|graphql|xhtml\+xml|x-httpd-php|typescript)|.+\+(?:json|xml))$/
// Files of this trade that the registry of media types does not know, or takes for something else.
const textEndings =
  /(?:^|[./])(?:py|ipynb|jsonl|ndjson|toml|cfg|ini|conf|env|lock|jinja|tmpl|ts|tsx|rs|go|c|cc|cpp|h|hpp|cu|java|kt|rb|pl|lua|r|jl|sh|bash|zsh|proto|vocab|merges|bpe|readme|license|licence|notice|makefile|dockerfile|gitattributes|gitignore|modelfile)$/i

interface MediaType {
  type: string
  isShown: boolean
}

const maxKnown = 1000
const known = new Map<string, MediaType>()

/** How stored content of this path is typed: what could run in a browser is plain text, the unknown is downloaded. */
export function mediaTypeOf(path: string): MediaType {
  // The type follows from the ending, or from the whole name where it has none.
  const ending = path.slice(Math.max(path.lastIndexOf('.'), path.lastIndexOf('/')) + 1)
  const found = known.get(ending)
  if (found) return found
  const media = findMediaType(path)
  if (known.size < maxKnown) known.set(ending, media)
  return media
}

function findMediaType(path: string): MediaType {
  if (textEndings.test(path)) return { type: 'text/plain; charset=utf-8', isShown: true }
  const type = lookup(path)
  if (type && displayable.test(type)) return { type, isShown: true }
  if (type && textual.test(type)) return { type: 'text/plain; charset=utf-8', isShown: true }
  return { type: 'application/octet-stream', isShown: false }
}

/** `Content-Disposition` as hub clients parse it: the plain `filename` last and a `;` behind it. */
export function dispositionOf(path: string, isShown: boolean): string {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const ascii = name.replaceAll(/[^\x20-\x7e]|["\\]/g, '_')
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${isShown ? 'inline' : 'attachment'}; filename*=UTF-8''${encoded}; filename="${ascii}";`
}

/** Headers of every answer that carries stored content. `isPublic`: anyone may read it, so caches may keep it. */
export function contentHeaders(
  path: string,
  { download, isPublic }: { download: boolean; isPublic: boolean },
) {
  const { type, isShown } = mediaTypeOf(path)
  return {
    'Content-Type': type,
    'Content-Disposition': dispositionOf(path, isShown && !download),
    'Content-Security-Policy': contentPolicy,
    'Cache-Control': isPublic ? 'public, no-cache' : 'private, no-store',
  }
}
