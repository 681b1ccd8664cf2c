import { sameBytes, type Keyring } from './keyring.ts'

/** `expired`: ours, but too late. `invalid`: not ours, or altered. */
export type UrlVerdict = 'valid' | 'expired' | 'invalid'

/**
 * Adds `exp` (seconds since 1970) and `sig` to a URL. The signature covers the method, the path and every query
 * parameter, so whatever the parameters say can be trusted; scheme and host are left out, for clients reach one
 * server under several names.
 */
export function signUrl(ring: Keyring, method: string, url: string, expiresAt: Date): string {
  const signed = new URL(url)
  signed.searchParams.delete('sig')
  signed.searchParams.set('exp', String(Math.floor(expiresAt.getTime() / 1000)))
  signed.searchParams.set('sig', signature(ring, method, signed).toString('base64url'))
  return signed.href
}

export function verifyUrl(ring: Keyring, method: string, url: string, now: Date): UrlVerdict {
  const signed = new URL(url)
  const given = signed.searchParams.getAll('sig')
  const expires = signed.searchParams.getAll('exp')
  if (given.length !== 1 || expires.length !== 1) return 'invalid'
  const bytes = Buffer.from(given[0] ?? '', 'base64url')
  if (!sameBytes(bytes, signature(ring, method, signed))) return 'invalid'
  return Number(expires[0]) * 1000 > now.getTime() ? 'valid' : 'expired'
}

/** HEAD shares the signature of GET: clients ask for the size of what they were given to read. */
function signature(ring: Keyring, method: string, url: URL): Buffer {
  const parameters = new URLSearchParams([...url.searchParams].filter(([name]) => name !== 'sig'))
  parameters.sort()
  return ring.mac('url', [method === 'HEAD' ? 'GET' : method, url.pathname, parameters.toString()])
}
