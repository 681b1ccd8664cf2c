const mask = (1n << 64n) - 1n

/** The numbers of SplitMix64 from `seed`. */
function* splitMix(seed: bigint): Generator<bigint, never> {
  for (let state = seed; ;) {
    state = (state + 0x9e3779b97f4a7c15n) & mask
    let z = state
    z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & mask
    z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & mask
    yield z ^ (z >> 31n)
  }
}

/** `n` bytes of SplitMix64 from `seed`, outputs as little-endian u64: the file of the published vectors. */
export function splitMix64(seed: bigint, n: number): Buffer {
  const bytes = Buffer.alloc(Math.ceil(n / 8) * 8)
  const numbers = splitMix(seed)
  for (let at = 0; at < n; at += 8) bytes.writeBigUInt64LE(numbers.next().value, at)
  return bytes.subarray(0, n)
}

/** The raw hash that xet-core's published trees give a seed: four numbers of xoshiro256++, set up by SplitMix64. */
export function seededHash(seed: number): Buffer {
  const numbers = splitMix(BigInt(seed))
  let [a, b, c, d] = [0, 1, 2, 3].map(() => numbers.next().value) as [bigint, bigint, bigint, bigint]
  const bytes = Buffer.alloc(32)
  for (let at = 0; at < 32; at += 8) {
    bytes.writeBigUInt64LE((rotate((a + d) & mask, 23n) + a) & mask, at)
    const shifted = (b << 17n) & mask
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= shifted
    d = rotate(d, 45n)
  }
  return bytes
}

function rotate(value: bigint, bits: bigint): bigint {
  return ((value << bits) | (value >> (64n - bits))) & mask
}

/** Numbers and bytes that a seed repeats, as fast as tests of megabytes need them (xorshift32). */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = (seed | 0) ^ 0x5eed5eed || 1
    for (let i = 0; i < 8; i++) this.next()
  }

  /** A whole number below 2^32. */
  next(): number {
    let x = this.#state
    x ^= x << 13
    x ^= x >>> 17
    x ^= x << 5
    this.#state = x
    return x >>> 0
  }

  /** A whole number below `bound`. */
  below(bound: number): number {
    return this.next() % bound
  }

  pick<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)]!
  }

  /** Bytes that nothing can pack. */
  bytes(n: number): Buffer {
    const words = new Uint32Array(Math.ceil(n / 4))
    for (let i = 0; i < words.length; i++) words[i] = this.next()
    return Buffer.from(words.buffer, 0, n)
  }

  /** Words of a small vocabulary with numbers between: it packs about as 2.5 to 1. */
  text(n: number): Buffer {
    const vocabulary = Array.from({ length: 400 }, () => this.bytes(1 + this.below(9)).toString('hex'))
    const parts: string[] = []
    for (let length = 0; length < n;) {
      const word = this.below(12) === 0 ? `${this.below(1_000_000)}` : this.pick(vocabulary)
      parts.push(word, this.below(14) === 0 ? '.\n' : ' ')
      length += word.length + 1
    }
    return Buffer.from(parts.join(''), 'latin1').subarray(0, n)
  }

  /** 32-bit floats near each other, which pack only once their bytes are grouped. */
  floats(n: number): Buffer {
    const values = new Float32Array(Math.ceil(n / 4))
    for (let i = 0; i < values.length; i++) values[i] = 0.02 + (this.below(1 << 16) - (1 << 15)) / (1 << 24)
    return Buffer.from(values.buffer, 0, n)
  }

  /** Runs of every length over few distances: the matches that overlap themselves. */
  runs(n: number): Buffer {
    const bytes = Buffer.alloc(n)
    for (let at = 0; at < n;) {
      const pattern = this.bytes(1 + this.below(11))
      const end = Math.min(n, at + 1 + this.below(400))
      for (let i = 0; at < end; i++) bytes[at++] = pattern[i % pattern.length]!
    }
    return bytes
  }
}
