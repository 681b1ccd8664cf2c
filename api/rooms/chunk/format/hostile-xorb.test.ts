import { describe, expect, test } from 'vitest'
import { FormatError, type FormatCheck } from './format-error.ts'
import {
  givenChunk,
  givenFooter,
  givenXorb,
  lz4BlockWord,
  lz4Frame,
  lz4FrameOf,
  lz4Sequence,
  Random,
  rawChunk,
} from './testing.ts'
import { XorbReader } from './xorb.ts'

const plain = new Random(21).text(400)
const chunk = givenChunk({ plain })
const packed = givenChunk({ plain, scheme: 1 })
const { body, index } = givenXorb([{ plain }, { plain, scheme: 1 }, { plain: Buffer.from('end') }])
const first = index.ends[0]!

describe('a xorb is refused', () => {
  test('without a byte', () => refused('xorb-empty', Buffer.alloc(0)))

  test('when it is cut off anywhere but between two chunks', () => {
    const whole = new Set(index.ends)
    for (let n = 1; n < body.length; n++) if (!whole.has(n)) refused('xorb-truncated', body.subarray(0, n))
  })

  test('when its footer is cut off anywhere', () => {
    for (const version of [0, 1] as const) {
      const full = Buffer.concat([body, givenFooter(index, version)])
      for (let n = body.length + 1; n < full.length; n++) refused('xorb-truncated', full.subarray(0, n))
    }
  })

  test('when it is not the one whose hash it came under', () => {
    const reader = new XorbReader()
    reader.push(body)
    expect(() => reader.finish(Buffer.alloc(32))).toThrow(expect.objectContaining({ check: 'tree-hash' }))
    const again = new XorbReader()
    again.push(body)
    expect(again.finish(index.hash)).toEqual(index)
  })

  const headers: [string, FormatCheck, Buffer][] = [
    ['version 1', 'chunk-header', rawChunk(0, 400, plain, { version: 1 })],
    ['scheme 3', 'chunk-scheme', rawChunk(3, 400, plain)],
    ['scheme 99, which clients call "auto"', 'chunk-scheme', rawChunk(99, 400, plain)],
    ['no bytes', 'chunk-header', rawChunk(0, 0, Buffer.alloc(0))],
    ['a frame of no bytes', 'chunk-header', rawChunk(1, 0, lz4Frame(Buffer.alloc(0)))],
    ['one byte too many', 'chunk-header', rawChunk(0, 131_073, Buffer.alloc(131_073))],
    ['as many bytes as 24 bits can say', 'chunk-header', rawChunk(1, 0xffffff, lz4Frame(Buffer.alloc(400)))],
    ['no compression and fewer bytes than declared', 'chunk-header', rawChunk(0, 401, plain)],
    ['no compression and more bytes than declared', 'chunk-header', rawChunk(0, 399, plain)],
    ['compression that gained nothing', 'chunk-header', rawChunk(1, 400, Buffer.alloc(400))],
    ['no payload', 'chunk-header', rawChunk(1, 400, Buffer.alloc(0))],
  ]
  test.each(headers)('with a chunk of %s', (_, check, bad) => {
    refused(check, bad)
    refused(check, Buffer.concat([chunk, bad]))
  })

  test('with a payload that unpacks to more or less than its header says', () => {
    for (const scheme of [1, 2])
      for (const length of [399, 401]) refused('lz4', rawChunk(scheme, length, lz4Frame(plain)))
    const sequences = Buffer.concat([lz4Sequence(Buffer.alloc(1), 1, 64 << 20), lz4Sequence(Buffer.alloc(5))])
    const bomb = lz4FrameOf([lz4BlockWord(sequences.length), sequences])
    refused('chunk-header', rawChunk(1, 131_072, bomb))
    const small = lz4FrameOf([lz4BlockWord(60_000), sequences.subarray(0, 60_000)])
    refused('lz4', rawChunk(1, 131_072, small))
  })

  test('with lengths that reach into the next chunk, or not to it', () => {
    const shifted = (bytes: number) => {
      const lying = Buffer.from(Buffer.concat([packed, chunk]))
      lying.writeUIntLE(packed.length - 8 + bytes, 1, 3)
      return lying
    }
    refused('lz4', shifted(1))
    refused('lz4', shifted(-1))
  })

  test('with one chunk more than may be', () => {
    const one = givenChunk({ plain: Buffer.from('x') })
    refused('chunk-count', Buffer.concat(Array.from({ length: 8193 }, () => one)))
  })

  test('when bytes follow its chunks that are no chunk', () => {
    refused('chunk-header', Buffer.concat([body, Buffer.alloc(8)]))
    refused('chunk-header', Buffer.concat([body, Buffer.from('XETBLOC\u0001'), Buffer.alloc(500)]))
    refused('xorb-truncated', Buffer.concat([body, Buffer.alloc(7)]))
  })
})

describe('a footer is refused', () => {
  test('before the first chunk', () => {
    const none = {
      ...index,
      n: 0,
      hashes: Buffer.alloc(0),
      ends: new Uint32Array(),
      lengths: new Uint32Array(),
    }
    for (const version of [0, 1] as const) refused('xorb-empty', givenFooter(none, version))
  })

  test.each([2, 7, 255])('of version %i', (version) => {
    const footer = givenFooter(index, 1)
    footer[7] = version
    refused('xorb-footer', Buffer.concat([body, footer]))
  })

  test.each([0, 1] as const)('of version %i with bytes behind it', (version) => {
    const footer = givenFooter(index, version)
    refused('xorb-trailing', Buffer.concat([body, footer, Buffer.alloc(1)]))
    refused('xorb-trailing', Buffer.concat([body, footer, chunk]))
  })

  test.each([0, 1] as const)('of version %i for more or fewer chunks', (version) => {
    for (const n of [0, 2, 4, 0xffffffff])
      refused('xorb-footer', Buffer.concat([body, givenFooter(index, version, n)]))
    const fewer = givenXorb([{ plain }])
    refused('xorb-truncated', Buffer.concat([body, givenFooter(fewer.index, version)]))
    refused('xorb-trailing', Buffer.concat([body.subarray(0, first), givenFooter(index, version)]))
  })

  test.each([0, 1] as const)('of version %i that lies about its length', (version) => {
    const footer = givenFooter(index, version)
    footer.writeUInt32LE(footer.length, footer.length - 4)
    refused('xorb-footer', Buffer.concat([body, footer]))
  })

  test('whose sections begin elsewhere', () => {
    for (const ident of ['XBLBHSH', 'XBLBBND']) {
      const footer = givenFooter(index, 1)
      footer[footer.indexOf(ident)] = 0
      refused('xorb-footer', Buffer.concat([body, footer]))
    }
  })

  test('never for its claims about chunks, which are ignored', () => {
    const footer = givenFooter(
      { ...index, hash: Buffer.alloc(32), hashes: Buffer.alloc(96), ends: new Uint32Array(3) },
      1,
    )
    expect(read(Buffer.concat([body, footer]))).toEqual(index)
  })
})

function read(bytes: Uint8Array, pieceBytes = bytes.length || 1) {
  const reader = new XorbReader()
  for (let at = 0; at < bytes.length; at += pieceBytes) reader.push(bytes.subarray(at, at + pieceBytes))
  return reader.finish()
}

/** Whether it comes whole or in pieces. */
function refused(check: FormatCheck, bytes: Uint8Array): void {
  for (const pieceBytes of [bytes.length || 1, 61]) {
    expect(() => read(bytes, pieceBytes)).toThrow(FormatError)
    expect(() => read(bytes, pieceBytes)).toThrow(expect.objectContaining({ check }))
  }
}
