import { pipeline, Readable, Transform } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { Decompress } from 'fzstd'
import xz from 'xz-decompress'
import { bunzip } from './bunzip.ts'
import { notReadable } from './task-fault.ts'

// A module of the older kind: names are on its default alone.
const { XzReadableStream } = xz

const compressions = { gz: 'gzip', zst: 'zstd', bz2: 'bzip2', xz: 'XZ', lz4: 'LZ4', zip: 'ZIP' } as const
type Suffix = keyof typeof compressions

/** How a file is compressed, by the last suffix of its name. */
export function compressionOf(name: string): Suffix | undefined {
  const suffix = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  return suffix in compressions ? (suffix as Suffix) : undefined
}

/** A small file that unfolds to a huge one is made to hurt. */
const MAX_EXPANSION = 200
const MAX_EXPANDED_BYTES = 1024 ** 3

/** The content of a compressed file. More than `freeBytes` must not be a bomb. */
export function unfolded(
  input: Readable,
  suffix: Suffix,
  name: string,
  size: number,
  freeBytes = MAX_EXPANDED_BYTES,
): AsyncIterable<Buffer> {
  const guard = new Guard(name, size, freeBytes)
  switch (suffix) {
    // The end of the pipeline is read, which throws what goes wrong in it.
    case 'gz':
      return pipeline(input, chained(createGunzip(), guard), ignore)
    case 'zst':
      return pipeline(input, chained(zstd(), guard), ignore)
    case 'bz2':
      return guarded(bunzip(input), guard)
    case 'xz':
      return guarded(unxz(input), guard)
    default:
      throw notReadable(
        `The file ${name} is compressed as ${compressions[suffix]}, which cannot be read here. Use gzip, bzip2, XZ or zstd.`,
      )
  }
}

/** The plain bytes of something packed in `size` bytes, that must not be a bomb. */
export const bounded = (
  plain: AsyncIterable<Buffer>,
  name: string,
  size: number,
  freeBytes = MAX_EXPANDED_BYTES,
): AsyncIterable<Buffer> => guarded(plain, new Guard(name, size, freeBytes))

const ignore = () => undefined

async function* guarded(chunks: AsyncIterable<Buffer>, guard: Guard): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    guard.take(chunk)
    yield chunk
  }
}

/** Node and browsers have types of their own for the same streams. */
const webStream = (input: Readable) =>
  Readable.toWeb(input) as unknown as ConstructorParameters<typeof XzReadableStream>[0]

async function* unxz(input: Readable): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of new XzReadableStream(webStream(input))) yield Buffer.from(chunk)
  } catch (error) {
    // The library names faults by number alone.
    throw error instanceof Error && 'code' in error
      ? error
      : new Error('its XZ stream is damaged', { cause: error })
  }
}

/** Stops where the bytes grow beyond what honest data does. */
class Guard {
  #bytes = 0
  readonly #name: string
  readonly #size: number
  readonly #freeBytes: number

  constructor(name: string, size: number, freeBytes: number) {
    this.#name = name
    this.#size = size
    this.#freeBytes = freeBytes
  }

  take(chunk: Uint8Array): void {
    this.#bytes += chunk.length
    if (this.#bytes > this.#freeBytes && this.#bytes > MAX_EXPANSION * this.#size)
      throw notReadable(
        `The file ${this.#name} unfolds to more than ${MAX_EXPANSION} times its size. It is not read further.`,
      )
  }
}

function chained(stream: Transform, guard: Guard): Transform {
  const push = stream.push.bind(stream)
  stream.push = (chunk: unknown, encoding?: BufferEncoding) => {
    if (chunk instanceof Uint8Array)
      try {
        guard.take(chunk)
      } catch (error) {
        stream.destroy(error as Error)
        return false
      }
    return push(chunk, encoding)
  }
  return stream
}

function zstd(): Transform {
  const decompress = new Decompress()
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      try {
        decompress.push(chunk)
        done()
      } catch (error) {
        done(error as Error)
      }
    },
    flush(done) {
      try {
        decompress.push(new Uint8Array(0), true)
        done()
      } catch (error) {
        done(error as Error)
      }
    },
  })
  decompress.ondata = (chunk) => stream.push(Buffer.from(chunk))
  return stream
}
