import { constants, createInflate, inflate, inflateSync } from 'node:zlib'
import { pipeline } from 'node:stream'
import { promisify } from 'node:util'
import type { FileHandle } from 'node:fs/promises'
import { CHUNK_BYTES, type ByteSource } from '../../../stores/storage/index.ts'
import { CorruptObject } from '../errors.ts'

/** Above this many inflated bytes work leaves the event loop. */
export const INLINE_BYTES = 256 * 1024

const inflateAsync = promisify<Buffer, { maxOutputLength: number }, Buffer>(inflate)

/** Inflates exactly `sizeBytes` from the start of `deflated`, which may run on past the end of its stream. */
export async function inflateExactly(deflated: Buffer, sizeBytes: number): Promise<Buffer> {
  if (sizeBytes <= INLINE_BYTES) return inflateInline(deflated, sizeBytes)
  try {
    return checkLength(await inflateAsync(deflated, { maxOutputLength: sizeBytes }), sizeBytes)
  } catch (error) {
    throw corrupt(error)
  }
}

/** As `inflateExactly`, at once; for small contents only. */
export function inflateInline(deflated: Buffer, sizeBytes: number): Buffer {
  try {
    const options = { chunkSize: Math.max(64, sizeBytes + 8), maxOutputLength: Math.max(1, sizeBytes) }
    return checkLength(inflateSync(deflated, options), sizeBytes)
  } catch (error) {
    throw corrupt(error)
  }
}

/**
 * As `inflateInline`, with the number of bytes that were read for it. Stops at the first byte too many.
 */
export function inflateFirst(
  deflated: Buffer,
  sizeBytes: number,
): { content: Buffer; deflatedBytes: number } {
  try {
    const options = {
      chunkSize: Math.max(64, sizeBytes + 8),
      maxOutputLength: Math.max(1, sizeBytes),
      info: true,
    }
    // With `info` zlib answers its engine as well (nodejs.org/api/zlib.html, class Options), which the types leave out.
    const { buffer, engine } = inflateSync(deflated, options) as unknown as {
      buffer: Buffer
      engine: { bytesWritten: number }
    }
    return { content: checkLength(buffer, sizeBytes), deflatedBytes: engine.bytesWritten }
  } catch (error) {
    throw corrupt(error)
  }
}

/** What the beginning of a deflated stream inflates to. */
export function inflateBeginning(deflated: Buffer): Buffer {
  try {
    return inflateSync(deflated, { finishFlush: constants.Z_SYNC_FLUSH, chunkSize: 64 })
  } catch (error) {
    throw corrupt(error)
  }
}

/** Where deflated bytes lie in a file and how many they inflate to. */
export interface DeflatedSpan {
  start: number
  end: number
  sizeBytes: number
}

/** Streams bytes `from` (inclusive) to `to` of the inflated content and closes `file`. Errors are `CorruptObject`s. */
export async function* inflateStream(
  file: FileHandle,
  span: DeflatedSpan,
  from: number,
  to: number,
): ByteSource {
  const input = file.createReadStream({ start: span.start, end: span.end - 1, highWaterMark: CHUNK_BYTES })
  const output = createInflate({ chunkSize: CHUNK_BYTES })
  // The error, if any, comes out of the iteration below.
  pipeline(input, output, () => undefined)
  let position = 0
  try {
    for await (const chunk of output as AsyncIterable<Buffer>) {
      const first = Math.max(0, from - position)
      const last = Math.min(chunk.length, to - position)
      position += chunk.length
      if (position > span.sizeBytes)
        throw new CorruptObject('pack entry inflates to more than its header says')
      if (last > first) yield chunk.subarray(first, last)
      if (position >= to && to < span.sizeBytes) return
    }
    if (position !== span.sizeBytes)
      throw new CorruptObject(`pack entry inflates to ${position}, not ${span.sizeBytes} bytes`)
  } catch (error) {
    throw corrupt(error)
  } finally {
    output.destroy()
    input.destroy()
    await file.close()
  }
}

function checkLength(out: Buffer, sizeBytes: number): Buffer {
  if (out.length !== sizeBytes)
    throw new CorruptObject(`pack entry inflates to ${out.length}, not ${sizeBytes} bytes`)
  return out
}

function corrupt(error: unknown): CorruptObject {
  return error instanceof CorruptObject
    ? error
    : new CorruptObject('pack entry does not inflate', { cause: error })
}
