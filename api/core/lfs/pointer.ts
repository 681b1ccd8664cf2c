/** What a Git LFS pointer names: content by SHA-256 and its length. */
export interface Pointer {
  sha256: string
  sizeBytes: number
}

/** Only blobs smaller than this can be pointers (git-lfs: lfs/pointer.go, blobSizeCutoff). */
export const POINTER_MAX_BYTES = 1024
/** No shorter blob can be one: the shortest version line, an oid line, and `size 0`. */
export const POINTER_MIN_BYTES = 114

const VERSION = 'https://git-lfs.github.com/spec/v1'
// Names older tools wrote for the same version (git-lfs: lfs/pointer.go, v1Aliases).
const VERSIONS = new Set([VERSION, 'http://git-media.io/v/2', 'https://hawser.github.com/spec/v1'])

/**
 * Reads a pointer file: lines `key value`, `version` first, then any `ext-N-name` in order, `oid sha256:<hex>`,
 * `size <decimal>` (git-lfs: docs/spec.md). `undefined` for anything else: that is an ordinary file.
 */
export function parsePointer(content: Uint8Array): Pointer | undefined {
  if (content.byteLength === 0 || content.byteLength >= POINTER_MAX_BYTES) return undefined
  const lines = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
    .toString('utf8')
    .trimEnd()
    .split(/\r?\n/)
  const version = lines.shift()
  if (!version?.startsWith('version ') || !VERSIONS.has(version.slice('version '.length))) return undefined
  const size = lines.pop()
  const oid = lines.pop()
  if (!areExtensions(lines)) return undefined
  const sha256 = /^oid sha256:([0-9a-f]{64})$/.exec(oid ?? '')?.[1]
  const digits = /^size (\d{1,16})$/.exec(size ?? '')?.[1]
  if (sha256 === undefined || digits === undefined) return undefined
  const sizeBytes = Number(digits)
  return Number.isSafeInteger(sizeBytes) ? { sha256, sizeBytes } : undefined
}

function areExtensions(lines: string[]): boolean {
  let last = -1
  for (const line of lines) {
    const priority = /^ext-(\d)-\w+ sha256:[0-9a-f]{64}$/.exec(line)?.[1]
    if (priority === undefined || Number(priority) <= last) return false
    last = Number(priority)
  }
  return true
}

/** The exact bytes Arsenal writes for a pointer. `sha256` is 64 lower-case hex digits. */
export function formatPointer({ sha256, sizeBytes }: Pointer): Buffer {
  return Buffer.from(`version ${VERSION}\noid sha256:${sha256}\nsize ${sizeBytes}\n`, 'latin1')
}
