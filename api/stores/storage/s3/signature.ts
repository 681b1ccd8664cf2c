import { createHash, createHmac } from 'node:crypto'

/** A request to be signed; `query` is as `canonicalQuery` writes it. */
export interface Unsigned {
  method: 'GET' | 'PUT'
  origin: string
  /** Escaped as the client escapes it. */
  path: string
  query: string
}

/** Who signs, when and for what: the parts of `X-Amz-Credential`, and the day's key that follows from them. */
export interface Scope {
  /** Day, region, service and `aws4_request`. */
  parts: string[]
  key: Buffer
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/** As RFC 3986 has it, which is stricter than JavaScript. */
const escaped = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

/** Names and values in the order and the form that are signed. */
export function canonicalQuery(params: Iterable<[string, string]>): string {
  return [...params]
    .map(([name, value]) => `${escaped(name)}=${escaped(value)}`)
    .toSorted()
    .join('&')
}

/** `credential` is the value of `X-Amz-Credential`. */
export function scopeOf(credential: string, secret: string): Scope {
  const [, ...parts] = credential.split('/')
  const [day = '', ...rest] = parts
  const key = rest.reduce((before, text) => hmac(before, text), hmac(`AWS4${secret}`, day))
  return { parts, key }
}

/**
 * The address with a signature into which no header but the host goes (Signature Version 4, "Authenticating Requests:
 * Using Query Parameters", Amazon S3 API Reference). `date` is the value of `X-Amz-Date`.
 */
export function signedAddress(
  { method, origin, path, query }: Unsigned,
  date: string,
  { parts, key }: Scope,
): string {
  const host = origin.slice(origin.indexOf('//') + 2)
  const request = [method, path, query, `host:${host}`, '', 'host', 'UNSIGNED-PAYLOAD'].join('\n')
  const text = ['AWS4-HMAC-SHA256', date, parts.join('/'), sha256(request)].join('\n')
  return `${origin}${path}?${query}&X-Amz-Signature=${hmac(key, text).toString('hex')}`
}
