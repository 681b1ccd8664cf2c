import { describe, expect, test } from 'vitest'
import { FormatError } from './format-error.ts'
import { decodeLz4Frame } from './lz4.ts'
import { lz4BlockWord, lz4Frame, lz4FrameOf, lz4Sequence, Random, type Lz4Options } from './testing.ts'

const sample = Buffer.concat([
  Buffer.from('Arsenal keeps models. '.repeat(6)),
  Buffer.from(Array.from({ length: 64 }, (_, i) => i)),
  Buffer.from('Arsenal keeps datasets. '.repeat(4)),
])
/** {@link sample} as the clients' own encoders pack it. */
const theirs = {
  'hf-xet 1.6':
    '04224d1860408274000000ff07417273656e616c206b65657073206d6f64656c732e2016005bfa31000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3fae007d64617461736574c6000f18002160736574732e2000000000',
  '@huggingface/hub 2.17.5':
    '04224d184070df74000000ff07417273656e616c206b65657073206d6f64656c732e2016005bf932000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f41c4007d64617461736574c6000f180022506574732e2000000000',
  'the C library':
    '04224d1860408273000000ff07417273656e616c206b65657073206d6f64656c732e2016005bfa31000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3fae007d64617461736574c6000f180022506574732e2000000000',
}

describe('LZ4 frames', () => {
  test.each(Object.entries(theirs))('of %s are read', (_, hex) => {
    expect(decoded(Buffer.from(hex, 'hex'), sample.length)).toEqual(sample)
  })

  const shapes: [string, Lz4Options][] = [
    ['blocks of their own', {}],
    ['blocks that lean on those before', { isIndependent: false, blockBytes: 1000 }],
    ['many small blocks', { blockBytes: 1000 }],
    ['one large block', { blockCode: 7, isIndependent: false }],
    ['stored blocks', { stored: 'always', blockBytes: 40_000 }],
    ['blocks that grow by packing', { stored: 'never', blockBytes: 60_000 }],
    ['checksums and a size', { hasSums: true, hasSize: true, blockBytes: 5000 }],
  ]
  test.each(shapes)('with %s give back what was packed', (_, options) => {
    const random = new Random(4)
    for (const n of [1, 2, 7, 8, 9, 64, 100, 1000, 65_535, 65_536, 65_537, 131_072])
      for (const plain of [
        random.text(n),
        random.bytes(n),
        random.floats(n),
        random.runs(n),
        Buffer.alloc(n),
      ])
        expect(decoded(lz4Frame(plain, options), n).equals(plain), `${n} bytes`).toBe(true)
  })

  test('matches of every distance and length, near the end of the output and far from it', () => {
    for (let distance = 1; distance <= 40; distance++)
      for (const length of [4, 5, 7, 8, 12, 18, 19, 20, 95, 99, 100, 101, 273, 274, 1000])
        for (const tail of [0, 5, 30]) {
          const head = new Random(distance).bytes(40)
          const end = Buffer.alloc(tail, 1)
          const frame = frameOf(Buffer.concat([lz4Sequence(head, distance, length), lz4Sequence(end)]))
          const run = Buffer.from(Array.from({ length }, (_, i) => head[40 - distance + (i % distance)]!))
          expect(decoded(frame, 40 + length + tail)).toEqual(Buffer.concat([head, run, end]))
        }
  })

  test('are unpacked into memory that threads share, and nowhere beside the output', () => {
    const plain = new Random(5).text(3001)
    const around = new Uint8Array(new SharedArrayBuffer(3100)).fill(0xaa)
    decodeLz4Frame(lz4Frame(plain), around.subarray(13, 13 + plain.length))
    expect(Buffer.from(around)).toEqual(
      Buffer.concat([Buffer.alloc(13, 0xaa), plain, Buffer.alloc(86, 0xaa)]),
    )
  })
})

describe('broken LZ4 frames are refused', () => {
  const plain = Buffer.from('abcdefgh'.repeat(40))
  const frame = lz4Frame(plain)
  const short = (literals = 4) => lz4Sequence(Buffer.alloc(literals, 1), 1, 50)
  const last = lz4Sequence(Buffer.alloc(5))
  const changed = (at: number, byte: number) =>
    Buffer.concat([frame.subarray(0, at), Buffer.from([byte]), frame.subarray(at + 1)])

  test('cut off at any byte', () => {
    for (const whole of [
      frame,
      lz4Frame(plain, { hasSums: true, hasSize: true }),
      lz4Frame(plain, { stored: 'always' }),
    ])
      for (let n = 0; n < whole.length; n++) refused(whole.subarray(0, n), plain.length)
  })

  const cases: [string, Buffer, number?][] = [
    ['more than was declared', frame, plain.length - 1],
    ['less than was declared', frame, plain.length + 1],
    ['bytes behind the frame', Buffer.concat([frame, Buffer.alloc(1)])],
    ['a second frame', Buffer.concat([frame, frame])],
    ['a skippable frame', Buffer.concat([Buffer.from('502a4d1800000000', 'hex'), frame])],
    ['the magic of the old format', changed(0, 0x02)],
    ['version 0', changed(4, 0x20)],
    ['a reserved flag', changed(4, 0x62)],
    ['a dictionary', changed(4, 0x61)],
    ['block size 3', changed(5, 0x30)],
    ['a reserved bit of the block size', changed(5, 0xc0)],
    ['a size that differs', lz4Frame(plain, { hasSize: true }), plain.length - 1],
    ['a size of 2^32 more', Buffer.concat([lz4Frame(plain, { hasSize: true }).fill(1, 10, 11)])],
    [
      'a block larger than the frame allows',
      lz4FrameOf([lz4BlockWord(65_537), Buffer.alloc(65_537)]),
      65_537,
    ],
    [
      'a stored block larger than that',
      lz4Frame(Buffer.alloc(65_537), { blockBytes: 65_537, stored: 'always' }),
      65_537,
    ],
    [
      'a block that unpacks to more than that',
      frameOf(lz4Sequence(Buffer.alloc(1), 1, 70_000), last),
      70_006,
    ],
    ['a distance of 0', frameOf(lz4Sequence(Buffer.alloc(4), 0, 4), last), 13],
    ['a match before the first byte', frameOf(lz4Sequence(Buffer.alloc(4), 5, 4), last), 13],
    [
      'a match into the block before',
      lz4FrameOf([...block(last), ...block(lz4Sequence(Buffer.alloc(4), 9, 50), last)]),
      64,
    ],
    ['a block that ends with a match', frameOf(short()), 54],
    ['a stored block beyond the output', lz4Frame(plain, { stored: 'always' }), 100],
    ['literals beyond the output', frameOf(last), 4],
    ['literals beyond the block', frameOf(Buffer.from([0x50, 1, 2])), 5],
    ['a length without an end', frameOf(Buffer.from([0xf0, 255, 255])), 600],
    ['half a distance', frameOf(Buffer.from([0x10, 1, 1])), 9],
    ['nothing at all', lz4FrameOf([]), 1],
  ]
  test.each(cases)('%s', (_, bytes, declared = plain.length) => refused(bytes, declared))

  test('a frame of 263 KB that claims 64 MiB stops at the declared length', () => {
    const bomb = frameOf(lz4Sequence(Buffer.alloc(1), 1, 64 << 20), last)
    const out = Buffer.alloc(131_072 + 64, 0xaa)
    expect(bomb.length).toBeGreaterThan(263_000)
    for (const frame of [bomb, bombOfBlocks()])
      expect(() => decodeLz4Frame(frame, out.subarray(0, 131_072))).toThrow(FormatError)
    expect(out.subarray(131_072).every((byte) => byte === 0xaa)).toBe(true)
  })
})

/** 64 MiB in blocks that each keep to the rules. */
function bombOfBlocks(): Buffer {
  const packed = Buffer.concat([lz4Sequence(Buffer.alloc(1), 1, 65_530), lz4Sequence(Buffer.alloc(5))])
  return lz4FrameOf(Array.from({ length: 1024 }, () => block(packed)).flat())
}

function block(...sequences: Buffer[]): Buffer[] {
  const packed = Buffer.concat(sequences)
  return [lz4BlockWord(packed.length), packed]
}

function frameOf(...sequences: Buffer[]): Buffer {
  return lz4FrameOf(block(...sequences))
}

function decoded(frame: Uint8Array, length: number): Buffer {
  const out = Buffer.alloc(length, 0x55)
  decodeLz4Frame(frame, out)
  return out
}

function refused(frame: Uint8Array, declared: number): void {
  expect(() => decoded(frame, declared)).toThrow(FormatError)
  expect(() => decoded(frame, declared)).toThrow(expect.objectContaining({ check: 'lz4' }))
}
