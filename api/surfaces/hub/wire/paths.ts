const content = /^\/(?:(?:datasets|models|spaces)\/)?[^/]+(?:\/[^/]+)?\/(?:resolve|raw)\//
const repoApi = /^\/api\/(?:models|datasets|spaces)\/./
const lfs = /\/info\/lfs(?:\/|$)/

/** Whether an address belongs to the hub surface (or LFS, which shares its errors), so never to the SPA. */
export function isHubPath(path: string): boolean {
  return (
    path.startsWith('/api/') ||
    path.startsWith('/oauth/') ||
    path === '/uploads' ||
    path.startsWith('/uploads/') ||
    path.startsWith('/chunked-uploads-are-disabled/') ||
    content.test(path) ||
    lfs.test(path)
  )
}

/** Whether an address names one repo, so that a refusal to an anonymous caller reads as an absent repo. */
export function addressesRepo(path: string): boolean {
  return content.test(path) || lfs.test(path) || repoApi.test(path)
}

const repo =
  /^\/(?:api\/(?<kind>models|datasets)\/|(?<file>datasets)\/)?(?<ns>[^/]+)\/(?<name>[^/]+?)(?:\.git)?(?:\/|$)/

/** The type and `ns/name` of the repo that a hub, LFS or file address names. */
export function repoInPath(
  path: string,
): { type: 'model' | 'dataset'; ns: string; name: string } | undefined {
  const { kind, file, ns, name } = repo.exec(path)?.groups ?? {}
  if (ns === undefined || name === undefined) return undefined
  return { type: (kind ?? file) === 'datasets' ? 'dataset' : 'model', ns, name }
}

/** Git LFS answers have their own media type and error shape. */
export function isLfsPath(path: string): boolean {
  return lfs.test(path)
}

/** The raw, still percent-encoded path of a request: `%2F` must stay distinct from `/`. */
export function rawPath(url: string): string {
  const start = url.indexOf('/', url.indexOf('//') + 2)
  const end = url.indexOf('?', start)
  return end === -1 ? url.slice(start) : url.slice(start, end)
}

/** The decoded segments of a raw path from the n-th on (0 is the first after the leading `/`); `undefined` for malformed encoding. */
export function segmentsFrom(path: string, n: number): string[] | undefined {
  try {
    return path
      .split('/')
      .slice(n + 1)
      .filter((segment) => segment !== '')
      .map(decodeURIComponent)
  } catch {
    return undefined
  }
}

const specialRef = /^refs\/(?:pr|convert)$/

/**
 * Ways to split decoded segments into a revision and a path, likeliest first. Python sends the revision as one encoded
 * segment; the JavaScript client does not encode, so `refs/pr/1/dir` and `feat/x/dir` come in pieces (hub-wire.md §1.1).
 */
export function* revisionSplits(segments: string[]): Generator<{ rev: string; path: string }> {
  const split = (n: number) => ({ rev: segments.slice(0, n).join('/'), path: segments.slice(n).join('/') })
  if (segments.length >= 3 && specialRef.test(segments.slice(0, 2).join('/'))) {
    yield split(3)
    return
  }
  for (let n = 1; n <= segments.length; n++) yield split(n)
}
