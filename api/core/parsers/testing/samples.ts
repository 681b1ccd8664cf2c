/** A safetensors file with a header as it is given, text or an object. */
export function safetensorsFile(header: unknown, data: Uint8Array = new Uint8Array(0)): Buffer {
  const json = Buffer.from(typeof header === 'string' ? header : JSON.stringify(header))
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(json.length))
  return Buffer.concat([length, json, data])
}

interface GgufSample {
  version?: number
  isBig?: boolean
  keys?: [key: string, type: number, value: Buffer][]
  tensors?: { name: string; shape: number[]; type: number; offset: number }[]
  data?: number
}

/** Writes numbers and strings of GGUF in one byte order. */
export class GgufBytes {
  readonly #isBig: boolean
  readonly #version: number

  constructor(version = 3, isBig = false) {
    this.#version = version
    this.#isBig = isBig
  }

  u32(value: number): Buffer {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32LE(value)
    return this.#isBig ? bytes.reverse() : bytes
  }

  u64(value: number | bigint): Buffer {
    const bytes = Buffer.alloc(8)
    bytes.writeBigUInt64LE(BigInt(value))
    return this.#isBig ? bytes.reverse() : bytes
  }

  count(value: number | bigint): Buffer {
    return this.#version === 1 ? this.u32(Number(value)) : this.u64(value)
  }

  string(text: string): Buffer {
    const bytes = Buffer.from(text)
    return Buffer.concat([this.count(bytes.length), bytes])
  }
}

/** A GGUF file, padded to 32 bytes before its data. */
export function ggufFile({
  version = 3,
  isBig = false,
  keys = [],
  tensors = [],
  data = 0,
}: GgufSample): Buffer {
  const write = new GgufBytes(version, isBig)
  const header = Buffer.concat([
    Buffer.from('GGUF'),
    write.u32(version),
    write.count(tensors.length),
    write.count(keys.length),
    ...keys.flatMap(([key, type, value]) => [write.string(key), write.u32(type), value]),
    ...tensors.flatMap(({ name, shape, type, offset }) => [
      write.string(name),
      write.u32(shape.length),
      ...shape.map((dimension) => write.count(dimension)),
      write.u32(type),
      write.u64(offset),
    ]),
  ])
  return Buffer.concat([header, Buffer.alloc((32 - (header.length % 32)) % 32), Buffer.alloc(data)])
}
