import { hash, randomBytes, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** How session, token and device secrets are stored and looked up: SHA-256 in hex. */
export const digestOf = (secret: string): string => hash('sha256', secret)

/** A fresh session or device secret: 256 random bits in base64url. */
export const newSecret = (): string => randomBytes(32).toString('base64url')

// A shorter name is found inside most good passwords.
const shortestTellingName = 3

/** Whether the username is in the password, in whatever case. */
export const containsName = (password: string, username: string): boolean =>
  username.length >= shortestTellingName && password.toLowerCase().includes(username.toLowerCase())

/**
 * A fresh password that somebody may have to type: 24 letters and digits, 142 bits. It is drawn again when the username
 * is in it, which the policy refuses: for a name of three letters that is one in 1400.
 */
export function newPassword(username: string): string {
  const password = randomText(24, base62)
  return containsName(password, username) ? newPassword(username) : password
}

/** `length` random characters of `alphabet`. */
export function randomText(length: number, alphabet: string): string {
  return Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join('')
}

// 62^6 exceeds 2^32, so six digits hold every CRC-32.
function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let i = 0; i < 6; i++) {
    digits = base62.charAt(rest % 62) + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

/**
 * A fresh token secret: `hf_asl_`, 40 random base62 characters, and the CRC-32 of all that in base62, by which a
 * scanner recognises it. Clients demand the beginning `hf_` (hub-wire.md §1.3).
 */
export function newTokenSecret(): string {
  const text = `hf_asl_${randomText(40, base62)}`
  return text + checksum(text)
}

/**
 * How a token is looked up. llama.cpp sends no token with anything but letters and digits behind `hf_` (common/hf-cache.cpp,
 * is_valid_hf_token), so that its users leave the second underscore out.
 */
export const tokenDigestOf = (secret: string): string =>
  digestOf(secret.replace(/^hf_asl(?=[0-9A-Za-z]{46}$)/, 'hf_asl_'))

/** The first characters of a token secret that lists show: enough to tell tokens apart, not to guess one. */
export const shownPrefix = (secret: string): string => secret.slice(0, 'hf_asl_'.length + 4)
