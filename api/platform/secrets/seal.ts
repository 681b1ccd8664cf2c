import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { Keyring } from './keyring.ts'

const ivBytes = 12
const tagBytes = 16

/** `v1.<key id>.<base64url of IV, ciphertext, tag>`, AES-256-GCM with the context as associated data. */
export function seal(ring: Keyring, context: string, plain: string): string {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv('aes-256-gcm', ring.subkey('seal'), iv).setAAD(Buffer.from(context))
  const bytes = Buffer.concat([iv, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return `v1.${ring.id}.${bytes.toString('base64url')}`
}

/** The plain text; nothing when it was altered, sealed in another context or under a key that is gone. */
export function unseal(rings: Keyring[], context: string, sealed: string): string | undefined {
  const [version, keyId, body = ''] = sealed.split('.')
  const ring = rings.find((candidate) => candidate.id === keyId)
  const bytes = Buffer.from(body, 'base64url')
  if (version !== 'v1' || !ring || bytes.length < ivBytes + tagBytes) return undefined
  const decipher = createDecipheriv('aes-256-gcm', ring.subkey('seal'), bytes.subarray(0, ivBytes), {
    authTagLength: tagBytes,
  })
  decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(-tagBytes))
  try {
    return decipher.update(bytes.subarray(ivBytes, -tagBytes), undefined, 'utf8') + decipher.final('utf8')
  } catch (error) {
    if (error instanceof Error && error.message.includes('unable to authenticate')) return undefined
    throw error
  }
}
