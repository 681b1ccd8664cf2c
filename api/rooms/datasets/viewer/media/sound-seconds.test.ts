import { expect, test } from 'vitest'
import { soundSeconds } from './sound-seconds.ts'

/** Frames of 1152 samples at 44.1 kHz and 128 kbit/s. */
const mp3Frames = (count: number) =>
  Buffer.concat(
    Array.from({ length: count }, () =>
      Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x64]), Buffer.alloc(413)]),
    ),
  )

const id3 = (bytes: number) => {
  const head = Buffer.alloc(10 + bytes)
  head.write('ID3')
  head[8] = bytes >> 7
  head[9] = bytes & 127
  return head
}

function xing(frames: number): Buffer {
  const frame = mp3Frames(1)
  frame.write('Xing', 36)
  frame.writeUInt32BE(1, 40)
  frame.writeUInt32BE(frames, 44)
  return frame
}

function flac(samples: number, rate: number): Buffer {
  const head = Buffer.alloc(42)
  head.write('fLaC')
  head.writeUInt32BE(34, 4)
  head.writeBigUInt64BE((BigInt(rate) << 44n) | (15n << 36n) | BigInt(samples), 18)
  return head
}

/** One page with a packet, and the last page. */
function ogg(packet: Buffer, granule: number): Buffer {
  const page = (position: number, body: Buffer) => {
    const head = Buffer.alloc(28)
    head.write('OggS')
    head.writeBigUInt64LE(BigInt(position), 6)
    head[26] = 1
    head[27] = body.length
    return Buffer.concat([head, body])
  }
  return Buffer.concat([page(0, packet), page(granule, Buffer.alloc(20))])
}

const vorbis = Buffer.alloc(30)
vorbis.write('\x01vorbis')
vorbis.writeUInt32LE(22_050, 12)
const opus = Buffer.alloc(19)
opus.write('OpusHead')
opus.writeUInt16LE(312, 10)

test.each([
  ['MP3 by its frames', Buffer.concat([id3(300), mp3Frames(100)]), (100 * 1152) / 44_100],
  ['MP3 by the header of all frames', Buffer.concat([xing(5000), mp3Frames(2)]), (5000 * 1152) / 44_100],
  ['FLAC', flac(96_000, 32_000), 3],
  ['FLAC of more than 32 bits of samples', flac(2 ** 33, 48_000), 2 ** 33 / 48_000],
  ['Vorbis', ogg(vorbis, 44_100), 2],
  ['Opus', ogg(opus, 48_312), 1],
])('%s has its seconds', (_, sound, seconds) => {
  expect(soundSeconds(sound)).toBeCloseTo(seconds, 9)
})

test.each([
  ['text', Buffer.from('no sound at all, whatever its name says')],
  ['nothing', Buffer.alloc(0)],
  ['an MP3 tag alone', id3(20)],
  ['FLAC that ends early', flac(1, 1).subarray(0, 20)],
  ['FLAC without a rate', flac(10, 0)],
  ['OGG of another codec', ogg(Buffer.alloc(30), 10)],
  ['WAV without data', Buffer.from('RIFF....WAVEfmt ')],
])('%s has none', (_, bytes) => {
  expect(soundSeconds(bytes)).toBeUndefined()
})
