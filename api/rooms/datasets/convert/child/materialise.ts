import { createReadStream } from 'node:fs'
import { open, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { Rewriter } from './csv-plain.ts'
import { bounded, compressionOf, unfolded } from './decompress.ts'
import type { LocalFile } from './messages.ts'
import { notReadable, TaskFault } from './task-fault.ts'
import { isZip, zipMembers, type ZipMember } from './zip-members.ts'

/** A source file as plain text on this machine. */
export interface PlainFile {
  name: string
  path: string
  sizeBytes: number
}

/** What is read of the files of a split. */
export interface PlainFiles {
  files: PlainFile[]
  /** Whether the last one was cut, or others left out. */
  isPartial: boolean
  /** Bytes of the source files that these are, as stored. */
  readBytes: number
}

export interface Wanted {
  folder: string
  maxBytes: number
  /** A character that hides line breaks between two of it. */
  quote?: string
  /** Decompresses members of zip files that are compressed once more, as pandas does; others are refused. */
  unfoldsMembers?: boolean
  /** Makes every line end in `\n` alone, as Python reads text. */
  hasPlainLines?: boolean
  /** Makes the bytes of each file those that are read, before they are cut. */
  rewriter?: () => Rewriter
}

/**
 * Decompresses what is compressed, and copies what must be cut or cleaned; other files stay where they are. Ends at the
 * last record within `maxBytes`.
 */
export async function materialise(sources: readonly LocalFile[], wanted: Wanted): Promise<PlainFiles> {
  const files: PlainFile[] = []
  let [left, readBytes] = [wanted.maxBytes, 0]
  for (const [i, source] of sources.entries()) {
    const { size } = await stat(source.path)
    for (const [k, input] of inputsOf(source, size, wanted).entries()) {
      if (left <= 0) return { files, isPartial: true, readBytes }
      const plain = await plainFile(input, { ...wanted, maxBytes: left }, `${i}-${k}`)
      files.push({ name: input.name, path: plain.path, sizeBytes: plain.sizeBytes })
      readBytes += Math.ceil(input.size * plain.share)
      left -= plain.sizeBytes
      if (plain.isCut) return { files, isPartial: true, readBytes }
    }
  }
  return { files, isPartial: false, readBytes }
}

interface Made {
  path: string
  sizeBytes: number
  isCut: boolean
  /** Which part of the source it holds. */
  share: number
}

/** A file to read: one of the repo, or a member of a zip file. */
interface Input {
  name: string
  /** Bytes as they are stored. */
  size: number
  /** Of what is plain already: the file itself. */
  path?: string
  open(): Stored
}

/** The plain bytes, and how many stored ones were read for them. */
interface Stored {
  plain: AsyncIterable<Buffer>
  bytesRead(): number
  close(): void
}

function inputsOf(source: LocalFile, size: number, wanted: Wanted): Input[] {
  if (isZip(source)) return zipMembers(source).map((member) => memberInput(member, wanted))
  const { name, path } = source
  const compression = compressionOf(name)
  return [
    {
      name,
      size,
      ...(compression ? {} : { path }),
      open: () => {
        const input = createReadStream(path, { highWaterMark: 1 << 20 })
        const plain = compression ? unfolded(input, compression, name, size) : input
        return { plain, bytesRead: () => input.bytesRead, close: () => input.destroy() }
      },
    },
  ]
}

function memberInput(member: ZipMember, { unfoldsMembers }: Wanted): Input {
  const { name, path, packedBytes } = member
  const compression = compressionOf(path)
  if (compression && !unfoldsMembers)
    throw notReadable(`The file ${name} is compressed once more. Pack the plain file.`)
  return {
    name,
    size: packedBytes,
    open: () => {
      const unpacked = bounded(member.open(), name, packedBytes)
      const input = compression && Readable.from(unpacked)
      return {
        plain: compression && input ? unfolded(input, compression, name, packedBytes) : unpacked,
        bytesRead: () => packedBytes,
        close: () => input?.destroy(),
      }
    },
  }
}

async function plainFile(source: Input, wanted: Wanted, label: string): Promise<Made> {
  const { size } = source
  const isReady =
    source.path !== undefined &&
    size <= wanted.maxBytes &&
    wanted.rewriter === undefined &&
    !(wanted.hasPlainLines && (await hasReturns(source.path)))
  if (isReady && source.path !== undefined)
    return { path: source.path, sizeBytes: size, isCut: false, share: 1 }
  const path = join(wanted.folder, `source-${label}`)
  const cut = new Cut(wanted)
  const rewriter = wanted.rewriter?.()
  const input = source.open()
  const out = await open(path, 'w')
  try {
    for await (const chunk of input.plain) {
      await out.writeFile(cut.take(rewriter ? rewriter.take(chunk) : chunk))
      if (cut.isFull) break
    }
    if (rewriter && !cut.isFull) await out.writeFile(cut.take(rewriter.end()))
  } catch (error) {
    throw explained(error, source.name)
  } finally {
    input.close()
    await out.close()
  }
  if (!cut.isFull) return { path, sizeBytes: cut.bytes, isCut: false, share: 1 }
  if (cut.boundary === 0)
    throw notReadable(
      `The file ${source.name} holds one record of more than ${wanted.maxBytes} bytes, which is the limit of a conversion (viewer.max_convert_bytes).`,
    )
  await truncate(path, cut.boundary)
  return {
    path,
    sizeBytes: cut.boundary,
    isCut: true,
    share: size === 0 ? 1 : Math.min(1, input.bytesRead() / size),
  }
}

function explained(error: unknown, name: string): unknown {
  const code = (error as { code?: unknown }).code
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
    return notReadable(`The file ${name} is not text of the encoding that the card gives.`)
  const isOfSystem = typeof code === 'string' && /^E[A-Z]+$/.test(code)
  if (isOfSystem || !(error instanceof Error) || error instanceof TaskFault) return error
  return notReadable(`The file ${name} cannot be decompressed: ${error.message}.`)
}

async function hasReturns(path: string): Promise<boolean> {
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(256 * 1024), 0, 256 * 1024, 0)
    return buffer.subarray(0, bytesRead).includes(0x0d)
  } finally {
    await file.close()
  }
}

const [LF, CR] = [0x0a, 0x0d]

/** Takes bytes until `maxBytes`, and knows where the last record ended. */
class Cut {
  bytes = 0
  /** Behind the last line break outside quotes. */
  boundary = 0
  isFull = false
  readonly #wanted: Wanted
  readonly #quote: number | undefined
  #isQuoted = false
  #endsInReturn = false

  constructor(wanted: Wanted) {
    this.#wanted = wanted
    this.#quote = wanted.quote?.charCodeAt(0)
  }

  /** The bytes as they are written. */
  take(chunk: Buffer): Buffer {
    const plain = this.#wanted.hasPlainLines ? this.#plainLines(chunk) : chunk
    this.#findBoundary(plain)
    this.bytes += plain.length
    if (this.bytes > this.#wanted.maxBytes) this.isFull = true
    return plain
  }

  /** Positions of line breaks up to the limit; those inside quotes are part of a field. */
  #findBoundary(chunk: Buffer): void {
    const room = this.#wanted.maxBytes - this.bytes
    if (this.#quote === undefined) {
      const at = chunk.subarray(0, Math.max(0, room)).lastIndexOf(LF)
      if (at !== -1) this.boundary = this.bytes + at + 1
      return
    }
    for (let i = 0; i < chunk.length && i < room; i++) {
      const byte = chunk[i]
      if (byte === this.#quote) this.#isQuoted = !this.#isQuoted
      else if (byte === LF && !this.#isQuoted) this.boundary = this.bytes + i + 1
    }
  }

  #plainLines(chunk: Buffer): Buffer {
    const out = Buffer.allocUnsafe(chunk.length)
    let length = 0
    for (const byte of chunk) {
      if (byte === LF && this.#endsInReturn) {
        this.#endsInReturn = false
        continue
      }
      this.#endsInReturn = byte === CR
      out[length++] = byte === CR ? LF : byte
    }
    return out.subarray(0, length)
  }
}

/** The first bytes of a file. */
export async function startOf(path: string, length: number): Promise<string> {
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, 0)
    return buffer
      .subarray(0, bytesRead)
      .toString('utf8')
      .replace(/^\uFEFF/, '')
  } finally {
    await file.close()
  }
}

/** Whether a character of one byte is the last one of a file. */
export async function endsIn(path: string, end: string): Promise<boolean> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    const { buffer, bytesRead } = await file.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1))
    return buffer.toString('latin1', 0, bytesRead) === end
  } finally {
    await file.close()
  }
}
