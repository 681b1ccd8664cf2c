import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

/** One instance key; every purpose gets a subkey of its own, so that a signature for one never passes for another. */
export class Keyring {
  readonly #key: Buffer
  readonly #subkeys = new Map<string, Buffer>()
  /** Names the key in sealed text without telling anything of it: 8 hex digits. */
  readonly id: string

  /** @param key 32 bytes in base64 */
  constructor(key: string) {
    this.#key = Buffer.from(key, 'base64')
    if (this.#key.length !== 32) throw new Error('the instance key must be 32 bytes in base64')
    this.id = this.subkey('key-id').toString('hex', 0, 4)
  }

  /** HKDF-SHA-256 (RFC 5869) of the instance key, 32 bytes. */
  subkey(purpose: string): Buffer {
    const known = this.#subkeys.get(purpose)
    if (known) return known
    const made = Buffer.from(hkdfSync('sha256', this.#key, '', `arsenal/${purpose}/v1`, 32))
    this.#subkeys.set(purpose, made)
    return made
  }

  /** HMAC-SHA-256 over parts that cannot run into each other: each is preceded by its length. */
  mac(purpose: string, parts: (string | Buffer)[]): Buffer {
    const hmac = createHmac('sha256', this.subkey(purpose))
    for (const part of parts) {
      const bytes = Buffer.from(part)
      hmac.update(`${bytes.length}:`).update(bytes)
    }
    return hmac.digest()
  }
}

/** Compares in a time that depends on the lengths alone. */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b)
}
