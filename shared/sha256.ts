/** Round constants: the first 32 bits of the fractional parts of the cube roots of the first 64 primes (FIPS 180-4 §4.2.2). */
const K = roundConstants()

function roundConstants(): Int32Array {
  const words = new Int32Array(64)
  for (let candidate = 2, found = 0; found < 64; candidate++) {
    let isPrime = true
    for (let factor = 2; factor * factor <= candidate; factor++) if (candidate % factor === 0) isPrime = false
    if (isPrime) words[found++] = fraction32(BigInt(candidate))
  }
  return words
}

/** The first 32 fractional bits of the cube root of `prime`, by integer search: floor(cbrt(prime · 2^96)) mod 2^32. */
function fraction32(prime: bigint): number {
  const target = prime << 96n
  let root = 0n
  for (let bit = 1n << 36n; bit > 0n; bit >>= 1n) if ((root + bit) ** 3n <= target) root += bit
  return Number(BigInt.asIntN(32, root))
}

const initial = [
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
] as const

/**
 * SHA-256 over bytes that arrive in pieces (FIPS 180-4 §6.2). WebCrypto digests only whole buffers,
 * which a file of many gigabytes does not fit into.
 */
export class Sha256 {
  private readonly state = Int32Array.from(initial)
  private readonly schedule = new Int32Array(64)
  private readonly tail = new Uint8Array(64)
  private tailLength = 0
  private total = 0

  /** Adds bytes; they are not kept. */
  update(bytes: Uint8Array): this {
    this.total += bytes.length
    let offset = 0
    if (this.tailLength > 0) {
      offset = Math.min(64 - this.tailLength, bytes.length)
      this.tail.set(bytes.subarray(0, offset), this.tailLength)
      this.tailLength += offset
      if (this.tailLength < 64) return this
      this.compress(this.tail, 0)
      this.tailLength = 0
    }
    for (; offset + 64 <= bytes.length; offset += 64) this.compress(bytes, offset)
    this.tail.set(bytes.subarray(offset))
    this.tailLength = bytes.length - offset
    return this
  }

  /** The digest as 64 lower-case hex digits. The hash must not be used afterwards. */
  hex(): string {
    const bits = this.total * 8
    const padding = new Uint8Array(this.tailLength < 56 ? 64 - this.tailLength : 128 - this.tailLength)
    padding[0] = 0x80
    const view = new DataView(padding.buffer)
    view.setUint32(padding.length - 8, Math.floor(bits / 2 ** 32))
    view.setUint32(padding.length - 4, bits >>> 0)
    this.update(padding)
    return Array.from(this.state, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('')
  }

  private compress(bytes: Uint8Array, offset: number): void {
    const w = this.schedule
    const s = this.state
    for (let i = 0; i < 16; i++, offset += 4)
      w[i] =
        (bytes[offset]! << 24) | (bytes[offset + 1]! << 16) | (bytes[offset + 2]! << 8) | bytes[offset + 3]!
    for (let i = 16; i < 64; i++) {
      const x = w[i - 15]!
      const y = w[i - 2]!
      const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3)
      const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10)
      w[i] = (w[i - 16]! + s0 + w[i - 7]! + s1) | 0
    }
    let a = s[0]!,
      b = s[1]!,
      c = s[2]!,
      d = s[3]!,
      e = s[4]!,
      f = s[5]!,
      g = s[6]!,
      h = s[7]!
    for (let i = 0; i < 64; i++) {
      const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7))
      const t1 = (h + s1 + ((e & f) ^ (~e & g)) + K[i]! + w[i]!) | 0
      const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10))
      const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
      h = g
      g = f
      f = e
      e = (d + t1) | 0
      d = c
      c = b
      b = a
      a = (t1 + t2) | 0
    }
    s[0] = s[0]! + a
    s[1] = s[1]! + b
    s[2] = s[2]! + c
    s[3] = s[3]! + d
    s[4] = s[4]! + e
    s[5] = s[5]! + f
    s[6] = s[6]! + g
    s[7] = s[7]! + h
  }
}
