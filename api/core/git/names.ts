import { judgedFile, looksLikeDotGit } from './push/disguises.ts'
import { isHexOid } from './objects/oid.ts'

/** Why a name is refused; `code` is stable, `message` says what fixes it. */
export interface NameFault {
  code: string
  message: string
}

/** Longer paths do not survive proxies once percent-encoded. Bytes of UTF-8. */
const MAX_PATH_BYTES = 1024
const MAX_SEGMENT_BYTES = 255
const MAX_PATH_DEPTH = 64

/** Below it lie refs that keep commits alive and that no client sees or moves: earlier heads of mirrors. */
export const HIDDEN_REFS = 'refs/synced'

/** Whether a ref, by its full name, is kept from clients. */
export const isHiddenRef = (name: string): boolean => name.startsWith(`${HIDDEN_REFS}/`)

const CONTROLS = /\p{Cc}/u
const BIDI_CONTROLS = /[\u202a-\u202e\u2066-\u2069]/
const LONE_SURROGATE = /\p{Surrogate}/u

/** Why git or a proxy could not carry this file path, or `undefined` when it is fine. */
export function validatePath(path: string): NameFault | undefined {
  if (path === '') return fault('path-empty', 'must not be empty')
  if (LONE_SURROGATE.test(path)) return fault('path-not-utf8', 'must be valid Unicode')
  if (Buffer.byteLength(path) > MAX_PATH_BYTES)
    return fault('path-too-long', `must be at most ${MAX_PATH_BYTES} bytes`)
  if (CONTROLS.test(path)) return fault('path-control', 'must not contain control characters')
  if (BIDI_CONTROLS.test(path)) return fault('path-bidi', 'must not contain bidirectional control characters')
  if (path.includes('\\'))
    return fault('path-backslash', 'must not contain a backslash; use / between folders')
  const segments = path.split('/')
  if (segments.length > MAX_PATH_DEPTH)
    return fault('path-too-deep', `must be at most ${MAX_PATH_DEPTH} folders deep`)
  for (const [i, segment] of segments.entries()) {
    const found = segmentFault(segment)
    if (found) return found
    if (i < segments.length - 1 && judgedFile(segment))
      return fault('path-git-file', `must not use ${segment} as a folder: git reads a file of that name`)
  }
  return undefined
}

function segmentFault(segment: string): NameFault | undefined {
  if (segment === '') return fault('path-empty-segment', 'must not start or end with / or contain //')
  if (segment === '.' || segment === '..') return fault('path-dots', 'must not contain . or .. as a folder')
  if (Buffer.byteLength(segment) > MAX_SEGMENT_BYTES) {
    return fault('path-segment-too-long', `each name must be at most ${MAX_SEGMENT_BYTES} bytes`)
  }
  if (looksLikeDotGit(segment))
    return fault('path-dot-git', 'must not contain .git or a name some system takes for it')
  return undefined
}

/** A path as case-insensitive, normalising file systems see it. */
function foldPath(path: string): string {
  return path.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC')
}

/** The first pair of different paths that a case-insensitive or normalising file system would merge. */
export function findCollision(paths: Iterable<string>): [string, string] | undefined {
  const seen = new Map<string, string>()
  for (const path of paths) {
    const folded = foldPath(path)
    const other = seen.get(folded)
    if (other !== undefined && other !== path) return [other, path]
    seen.set(folded, path)
  }
  return undefined
}

/** Why this full ref name (`refs/…`) is refused: git-check-ref-format's rules plus Unicode hygiene. */
export function validateRefName(name: string): NameFault | undefined {
  if (!name.startsWith('refs/')) return fault('ref-not-full', 'must start with refs/')
  if (Buffer.byteLength(name) > MAX_PATH_BYTES)
    return fault('ref-too-long', `must be at most ${MAX_PATH_BYTES} bytes`)
  if (LONE_SURROGATE.test(name) || CONTROLS.test(name) || BIDI_CONTROLS.test(name)) {
    return fault('ref-characters', 'must not contain control characters')
  }
  if (/[ ~^:?*[\\]/.test(name))
    return fault('ref-characters', 'must not contain a space or any of ~ ^ : ? * [ \\')
  if (name.includes('..') || name.includes('@{')) return fault('ref-sequence', 'must not contain .. or @{')
  if (name.endsWith('.')) return fault('ref-ends-with-dot', 'must not end with a dot')
  for (const part of name.split('/')) {
    if (part === '') return fault('ref-empty-part', 'must not end with / or contain //')
    if (part.startsWith('.') || part.endsWith('.lock')) {
      return fault('ref-part', 'must have no part that starts with a dot or ends with .lock')
    }
    // A client stores the ref as the file `<part>.lock` first, and file names end at 255 bytes.
    if (Buffer.byteLength(part) > MAX_SEGMENT_BYTES - 5)
      return fault('ref-too-long', 'must have parts of at most 250 bytes')
  }
  return undefined
}

/** Why a person may not name a branch or tag like this (short name, without `refs/heads/`). */
export function validateBranchOrTag(name: string): NameFault | undefined {
  if (name === '') return fault('ref-empty', 'must not be empty')
  if (name === 'HEAD' || name === '@') return fault('ref-reserved', 'is reserved by git')
  if (name.startsWith('-')) return fault('ref-dash', 'must not start with a dash')
  if (name.startsWith('refs/')) return fault('ref-reserved', 'must not start with refs/')
  if (/^[0-9a-f]{40}$/i.test(name) || isHexOid(name)) {
    return fault('ref-looks-like-sha', 'must not look like a commit id (40 hex digits)')
  }
  return validateRefName(`refs/heads/${name}`)
}

function fault(code: string, message: string): NameFault {
  return { code, message }
}
