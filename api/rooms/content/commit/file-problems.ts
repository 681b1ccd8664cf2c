import { Problem } from '../../../platform/problems/index.ts'

/** A file outside LFS that is larger than `maxBytes`. */
export function fileTooLarge(path: string, maxBytes: number): Problem {
  return new Problem('file-too-large', {
    detail: `"${path}" is larger than ${maxBytes} bytes, the limit for files outside LFS. Upload it as an LFS object.`,
    members: { path },
  })
}

/** Names the large files that must be uploaded first, with what went wrong with them, by SHA-256, where that is known. */
export function lfsMissing(
  files: { path: string; sha256: string }[],
  reasons: ReadonlyMap<string, string> = new Map(),
): Problem {
  const shown = files.slice(0, 10).map(({ path, sha256 }) => {
    const reason = reasons.get(sha256)
    return `"${path}" (${sha256})${reason === undefined ? '' : ` - ${reason}`}`
  })
  return new Problem('lfs-object-missing', {
    detail: `Upload these large files first: ${shown.join(', ')}.`,
    errors: files.map(({ path, sha256 }) => ({ field: path, code: 'lfs-object-missing', message: sha256 })),
  })
}
