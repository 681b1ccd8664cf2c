import type { Ctx } from '../../../../core/ctx.ts'
import type { Asset, LinkedFile } from '../cells/out.ts'
import type { Viewed } from '../open.ts'

/** Where the viewer's API is mounted. */
export const viewerBase = '/viewer-api'

const LIFE_MS = 3_600_000
/** Addresses stay the same for a while, so that a page that scrolls back finds them in the browser's cache. */
const STEP_MS = 600_000

const stems = { Image: 'image', Audio: 'audio', Video: 'video', Pdf: 'document' } as const

/** A split at the commit its export was made of. */
interface Place {
  viewed: Viewed
  config: string
  split: string
}

/** JSON of media cells: addresses that are good for an hour, for everybody who holds them. */
export function mediaText(ctx: Ctx, place: Place) {
  return (piece: Asset | LinkedFile, row: number): string => {
    if ('path' in piece) return linkedText(ctx, place.viewed, piece)
    const src = assetUrl(ctx, place, piece, row)
    return cellText(piece.kind, src, piece)
  }
}

function cellText(
  kind: Asset['kind'],
  src: string,
  { extension, size, width, height }: Partial<Pick<Asset, 'extension' | 'size' | 'width' | 'height'>>,
): string {
  switch (kind) {
    case 'Image':
      // Sizes are left out where they are unknown: the public viewer has integers there.
      return JSON.stringify({ src, ...(height && width ? { height, width } : {}) })
    case 'Audio':
      return JSON.stringify([{ src, type: extension === undefined ? 'audio/wav' : mimeOf(extension) }])
    case 'Video':
      return JSON.stringify({ src })
    case 'Pdf':
      return JSON.stringify({ src, size_bytes: size ?? null, thumbnail: null })
  }
}

/** Media whose bytes are a file of this repo; any other path is never followed. */
function linkedText(
  { config }: Ctx,
  { repo, name, revision: shown }: Viewed,
  { kind, path }: LinkedFile,
): string {
  const found = /^hf:\/\/datasets\/([^/@]+\/[^/@]+)@([^/]+)\/(.+)$/.exec(path)
  const [, of = '', revision = '', file = ''] = found ?? []
  // The commit of the export is of this repo, also where the repo had another name then.
  if (of.toLowerCase() !== name.toLowerCase() && revision !== shown) return 'null'
  const parts = file.split('/')
  // Browsers resolve these, which would lead to other pages of this server.
  if (parts.some((part) => part === '.' || part === '..')) return 'null'
  const encoded = parts.map(encodeURIComponent).join('/')
  const src = `${config.server.public_url}/datasets/${repo.ns}/${repo.name}/resolve/${encodeURIComponent(revision)}/${encoded}`
  const extension = kind === 'Audio' ? /\.(wav|mp3|flac|ogg)$/i.exec(file)?.[1]?.toLowerCase() : undefined
  return cellText(kind, src, extension === undefined ? {} : { extension })
}

function assetUrl(
  ctx: Ctx,
  { viewed, config, split }: Place,
  { kind, at, extension }: Asset,
  row: number,
): string {
  const { repo, revision } = viewed
  const [column, ...inner] = at
  const below = [config, split, row, column].map((part) => encodeURIComponent(String(part))).join('/')
  const path = `${viewerBase}/assets/${repo.ns}/${repo.name}/--/${revision}/--/${below}/${stems[kind]}${suffixOf(inner)}.${extension}`
  // The column is in the path; where the cell is within its value only a parameter can say.
  const place = inner.length > 0 ? `?at=${encodeURIComponent(JSON.stringify(inner))}` : ''
  const expiresAt = new Date(Math.floor((ctx.now().getTime() + LIFE_MS) / STEP_MS) * STEP_MS)
  return ctx.secrets.signUrl('GET', `${ctx.config.server.public_url}${path}${place}`, expiresAt)
}

/** Tells cells of a value apart by the names of their files, which clients save: a checksum of the JSON of their place. */
function suffixOf(inner: readonly (string | number)[]): string {
  return inner.length === 0 ? '' : `-${adler32(Buffer.from(pythonJson(inner))).toString(16)}`
}

/** JSON as Python writes it, with spaces and without any letter beyond ASCII. */
const pythonJson = (parts: readonly (string | number)[]) =>
  `[${parts.map((part) => JSON.stringify(part).replaceAll(/[\u007f-\uffff]/g, escaped)).join(', ')}]`

const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

/** The checksum of zlib (RFC 1950, section 8.2). */
function adler32(bytes: Uint8Array): number {
  let [a, b] = [1, 0]
  for (const byte of bytes) {
    a = (a + byte) % 65521
    b = (b + a) % 65521
  }
  return b * 65536 + a
}

const mimes: Record<string, string> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  bmp: 'image/bmp',
  wav: 'audio/wav',
  mp3: 'audio/mpeg',
  flac: 'audio/flac',
  ogg: 'audio/ogg',
  mp4: 'video/mp4',
  webm: 'video/webm',
  pdf: 'application/pdf',
}

/** Media type of an extension of the allow-list; everything else is bytes, which browsers save. */
export const mimeOf = (extension: string): string => mimes[extension] ?? 'application/octet-stream'
