import { sameBytes, type Keyring } from './keyring.ts'

/** `<base64url of the payload as JSON>.<base64url of its HMAC-SHA-256>` */
export function signToken(ring: Keyring, purpose: string, payload: unknown): string {
  const body = Buffer.from(JSON.stringify(payload)).toString('base64url')
  return `${body}.${ring.mac(purpose, [body]).toString('base64url')}`
}

/** The payload; nothing when the token was altered, cut, or signed for another purpose or by another key. */
export function openToken(ring: Keyring, purpose: string, token: string): unknown {
  const [body = '', mac = '', ...rest] = token.split('.')
  const bytes = Buffer.from(mac, 'base64url')
  // Decoding passes over what is no base64url and over spare bits.
  if (rest.length > 0 || bytes.toString('base64url') !== mac) return undefined
  if (!sameBytes(bytes, ring.mac(purpose, [body]))) return undefined
  return JSON.parse(Buffer.from(body, 'base64url').toString()) as unknown
}
