import { crc32, deflateRawSync } from 'node:zlib'

/** A member of a zip, with what is wrong about it. */
export interface Member {
  name: string
  bytes: Uint8Array
  localName?: string
  flags?: number
  crc?: number
  isPacked?: boolean
  /** How the headers say that it is packed. */
  method?: number
  /** Where the directory says that its header is. */
  offset?: number
  sizeBytes?: number
  mode?: number
}

/** A zip made by hand, so that it may lie. */
export function zipOf(members: Member[], prefix: Uint8Array = new Uint8Array(0), isMoved = true): Buffer {
  const locals: Buffer[] = []
  const entries: Buffer[] = []
  let at = isMoved ? 0 : prefix.length
  for (const {
    name,
    bytes,
    localName = name,
    flags = 0,
    isPacked = false,
    mode = 0o644,
    ...stated
  } of members) {
    const packed = isPacked ? deflateRawSync(bytes) : Buffer.from(bytes)
    const fixed = Buffer.alloc(26)
    fixed.writeUInt16LE(20, 0)
    fixed.writeUInt16LE(flags, 2)
    fixed.writeUInt16LE(stated.method ?? (isPacked ? 8 : 0), 4)
    fixed.writeUInt32LE(stated.crc ?? crc32(bytes), 10)
    fixed.writeUInt32LE(packed.length, 14)
    fixed.writeUInt32LE(stated.sizeBytes ?? bytes.length, 18)
    fixed.writeUInt16LE(Buffer.byteLength(localName), 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), fixed, Buffer.from(localName), packed])
    const central = Buffer.from(fixed)
    central.writeUInt16LE(Buffer.byteLength(name), 22)
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE((mode << 16) >>> 0, 6)
    rest.writeUInt32LE(stated.offset ?? at, 10)
    entries.push(
      Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), central, rest, Buffer.from(name)]),
    )
    locals.push(local)
    at += local.length
  }
  const directory = Buffer.concat(entries)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(members.length, 8)
  end.writeUInt16LE(members.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([prefix, ...locals, directory, end])
}

/** A tar of files and links. */
export function tarOf(members: { name: string; bytes?: Uint8Array; type?: string; link?: string }[]): Buffer {
  const blocks = members.map(({ name, bytes = new Uint8Array(0), type = '0', link = '' }) => {
    const head = Buffer.alloc(512)
    head.write(name, 0)
    head.write('0000644\0', 100)
    head.write(`${bytes.length.toString(8).padStart(11, '0')}\0`, 124)
    head.write('        ', 148)
    head.write(type, 156)
    head.write(link, 157)
    head.write('ustar\x0000', 257)
    const sum = head.reduce((total, byte) => total + byte, 0)
    head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
    return Buffer.concat([head, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)])
  })
  return Buffer.concat([...blocks, Buffer.alloc(1024)])
}
