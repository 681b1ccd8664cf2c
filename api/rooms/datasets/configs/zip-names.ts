import type { Ctx } from '../../../core/ctx.ts'
import type { Snapshot } from '../../../core/git/index.ts'
import { FormatFault, type FileBytes } from '../../../core/parsers/index.ts'
import { zipDirectories } from '../../../core/scanning/index.ts'
import { collect } from '../../../stores/storage/index.ts'
import { MissingBytes, openSource, type OpenSource } from '../convert/sources.ts'
import type { SourceFile } from './source-file.ts'

/** More than the end of a zip file with its longest comment. */
const PIECE_BYTES = 128 * 1024
/** Directories that need more are not read: the archive is of no known kind then. */
const MAX_BYTES = 8 * 1024 * 1024

/** Names in zip files, in order of the files and then of the names. What is no zip, or is not here, has none. */
export async function zipNames(
  ctx: Ctx,
  snapshot: Snapshot,
  files: readonly SourceFile[],
): Promise<string[]> {
  const names: string[] = []
  for (const file of files) names.push(...(await namesIn(ctx, snapshot, file)).sort())
  return names
}

async function namesIn(ctx: Ctx, snapshot: Snapshot, file: SourceFile): Promise<string[]> {
  try {
    const source = await openSource(ctx, snapshot, file)
    const bytes = new Pieces(file.sizeBytes)
    for (;;)
      try {
        const [directory] = zipDirectories(bytes)
        return directory?.entries.map(({ name }) => name).filter((name) => !name.endsWith('/')) ?? []
      } catch (error) {
        if (!(error instanceof Wanting)) throw error
        await bytes.bring(source, error.offset)
      }
  } catch (error) {
    if (error instanceof MissingBytes || error instanceof FormatFault) return []
    throw error
  }
}

/** A part of the file that is not here yet. */
class Wanting extends Error {
  readonly offset: number

  constructor(offset: number) {
    super('bytes are not here yet')
    this.offset = offset
  }
}

/** Bytes of a file that are brought piece by piece, while what reads them begins again. */
class Pieces implements FileBytes {
  readonly sizeBytes: number
  readonly #pieces = new Map<number, Buffer>()

  constructor(sizeBytes: number) {
    this.sizeBytes = sizeBytes
  }

  read(offset: number, length: number): Uint8Array {
    const end = Math.min(offset + Math.max(0, length), this.sizeBytes)
    const parts: Buffer[] = []
    for (let at = offset; at < end;) {
      const from = at - (at % PIECE_BYTES)
      const piece = this.#pieces.get(from)
      if (!piece) throw new Wanting(from)
      const part = piece.subarray(at - from, end - from)
      if (part.length === 0) break
      parts.push(part)
      at += part.length
    }
    return Buffer.concat(parts)
  }

  /** Brings all from `offset` to the end, where a directory ends, or one piece where that is too much. */
  async bring(source: OpenSource, offset: number): Promise<void> {
    const room = MAX_BYTES - this.#pieces.size * PIECE_BYTES
    if (room < PIECE_BYTES) throw new FormatFault('zip', 'The directory of the archive is too large.')
    const rest = this.sizeBytes - offset
    const length = rest <= room ? rest : Math.min(PIECE_BYTES, rest)
    const bytes = await collect(await source.open({ offset, length }), length)
    for (let at = 0; at < length; at += PIECE_BYTES)
      this.#pieces.set(offset + at, bytes.subarray(at, at + PIECE_BYTES))
  }
}
