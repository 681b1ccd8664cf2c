import { sameBytes, type Keyring } from './keyring.ts'

const macBytes = 16

/** base64url of a 16-byte HMAC and the position as JSON; good in the same context only. */
export function signCursor(ring: Keyring, context: unknown, position: unknown): string {
  const body = Buffer.from(JSON.stringify(position))
  return Buffer.concat([mac(ring, context, body), body]).toString('base64url')
}

/** The position; nothing when the cursor was altered or belongs to another list. */
export function openCursor(ring: Keyring, context: unknown, cursor: string): unknown {
  const bytes = Buffer.from(cursor, 'base64url')
  // Decoding passes over what is no base64url and over spare bits.
  if (bytes.toString('base64url') !== cursor) return undefined
  const body = bytes.subarray(macBytes)
  if (!sameBytes(bytes.subarray(0, macBytes), mac(ring, context, body))) return undefined
  return JSON.parse(body.toString()) as unknown
}

function mac(ring: Keyring, context: unknown, body: Buffer): Buffer {
  return ring.mac('cursor', [JSON.stringify(context), body]).subarray(0, macBytes)
}
