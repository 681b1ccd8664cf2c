/** The path of `Link: <…>; rel="next"`, of that upstream alone. */
export function nextPath(link: string | undefined, baseUrl: string): string | undefined {
  const target = /<([^>]*)>\s*;\s*rel="?next"?/i.exec(link ?? '')?.[1]
  if (target === undefined || !URL.canParse(target, `${baseUrl}/`)) return undefined
  const url = new URL(target, `${baseUrl}/`)
  const base = new URL(baseUrl)
  const prefix = base.pathname.replace(/\/$/, '')
  if (url.origin !== base.origin || !url.pathname.startsWith(`${prefix}/api/`)) return undefined
  return url.pathname.slice(prefix.length) + url.search
}
