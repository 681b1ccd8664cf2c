import { extensionOf } from '../cells/extension.ts'

/** How long a sound is by what its headers say; nothing for what is no sound that is known here. */
export function soundSeconds(bytes: Uint8Array): number | undefined {
  const sound = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    const seconds = readers[extensionOf(bytes)]?.(sound)
    return seconds !== undefined && Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined
  } catch (error) {
    // A header that ends early: reads behind the end throw.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const readers: Record<string, (sound: Buffer) => number | undefined> = {
  wav: wavSeconds,
  flac: flacSeconds,
  ogg: oggSeconds,
  mp3: mp3Seconds,
}

function wavSeconds(sound: Buffer): number | undefined {
  let [frameBytes, rate] = [0, 0]
  for (let at = 12; at + 8 <= sound.length;) {
    const [name, size] = [sound.toString('latin1', at, at + 4), sound.readUInt32LE(at + 4)]
    if (name === 'fmt ') {
      rate = sound.readUInt32LE(at + 12)
      frameBytes = sound.readUInt16LE(at + 20)
    }
    // One that was written as a stream does not know its size.
    if (name === 'data') return Math.floor(Math.min(size, sound.length - at - 8) / frameBytes) / rate
    at += 8 + size + (size % 2)
  }
  return undefined
}

function flacSeconds(sound: Buffer): number {
  const rate = sound.readUIntBE(18, 3) >>> 4
  const samples = Number(sound.readBigUInt64BE(18) & 0xfffffffffn)
  return samples / rate
}

function oggSeconds(sound: Buffer): number | undefined {
  const packet = 27 + sound.readUInt8(26)
  const last = sound.lastIndexOf('OggS')
  const granule = Number(sound.readBigUInt64LE(last + 6))
  if (sound.toString('latin1', packet, packet + 7) === '\x01vorbis')
    return granule / sound.readUInt32LE(packet + 12)
  // Opus counts at 48 kHz, with samples at the beginning that are not played.
  if (sound.toString('latin1', packet, packet + 8) === 'OpusHead')
    return (granule - sound.readUInt16LE(packet + 10)) / 48_000
  return undefined
}

const rates = [44_100, 48_000, 32_000]
const bitRates = {
  1: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
} as const

interface Frame {
  bytes: number
  samples: number
  rate: number
  /** Where a header of all frames would be. */
  tagAt: number
}

/** A frame of layer III of MPEG 1, 2 or 2.5. */
function frameAt(sound: Buffer, at: number): Frame | undefined {
  if (at + 4 > sound.length) return undefined
  const head = sound.readUInt32BE(at)
  const [version, layer] = [(head >>> 19) & 3, (head >>> 17) & 3]
  if (head >>> 21 !== 0x7ff || version === 1 || layer !== 1) return undefined
  const isFirst = version === 3
  const bitRate = bitRates[isFirst ? 1 : 2][(head >>> 12) & 15]
  const base = rates[(head >>> 10) & 3]
  if (!bitRate || base === undefined) return undefined
  const rate = base / (isFirst ? 1 : version === 2 ? 2 : 4)
  const samples = isFirst ? 1152 : 576
  const bytes = Math.floor((samples * bitRate * 125) / rate) + ((head >>> 9) & 1)
  const isMono = ((head >>> 6) & 3) === 3
  const side = isFirst ? (isMono ? 17 : 32) : isMono ? 9 : 17
  return { bytes, samples, rate, tagAt: at + 4 + side }
}

function mp3Seconds(sound: Buffer): number | undefined {
  let at = 0
  if (sound.toString('latin1', 0, 3) === 'ID3')
    // Four numbers of seven bits.
    at = 10 + [6, 7, 8, 9].reduce((size, i) => size * 128 + (sound.readUInt8(i) & 127), 0)
  let frame = frameAt(sound, at)
  if (!frame) return undefined
  const tag = sound.toString('latin1', frame.tagAt, frame.tagAt + 4)
  if ((tag === 'Xing' || tag === 'Info') && (sound.readUInt32BE(frame.tagAt + 4) & 1) === 1)
    return (sound.readUInt32BE(frame.tagAt + 8) * frame.samples) / frame.rate
  let seconds = 0
  for (; frame; frame = frameAt(sound, at)) {
    seconds += frame.samples / frame.rate
    at += frame.bytes
  }
  return seconds
}
