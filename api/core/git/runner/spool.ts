import { createReadStream } from 'node:fs'
import { mkdir, open, rm, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { uuidv7 } from 'uuidv7'
import { DiskSpace, fromChunks, type ByteSource } from '../../../stores/storage/index.ts'

/** Smaller bodies stay in memory. */
const MAX_HELD_BYTES = 1024 * 1024

/** A body that has come in whole, to be read any number of times until `dispose`. */
export interface Spooled {
  sizeBytes: number
  /** Where it lies, unless in memory. */
  path?: string
  open(): ByteSource
  dispose(): Promise<void>
}

/**
 * Takes a body in before any git runs for it, so that slow senders hold no git. `too-large` beyond `maxBytes`: as many
 * bytes again are then read and dropped, since a sender listens to an answer only once it has sent.
 */
export async function spool(
  source: ByteSource,
  tempDir: string,
  maxBytes: number,
): Promise<Spooled | 'too-large'> {
  const held: Uint8Array[] = []
  let sizeBytes = 0
  let file: FileHandle | undefined
  const path = join(tempDir, `${uuidv7()}.body`)
  const space = new DiskSpace(tempDir, 'The push')
  const dispose = async () => rm(path, { force: true })
  try {
    for await (const chunk of source) {
      sizeBytes += chunk.byteLength
      if (sizeBytes > 2 * maxBytes) break
      if (sizeBytes > maxBytes) continue
      held.push(chunk)
      if (sizeBytes <= MAX_HELD_BYTES) continue
      file ??= await openNew(tempDir, path)
      await space.take(chunk.byteLength)
      for (const each of held.splice(0)) await file.writeFile(each)
    }
    // Git writes a pack once more beside its spool.
    if (file) await space.require(sizeBytes)
    await file?.close()
  } catch (error) {
    await file?.close()
    await dispose()
    throw error
  }
  if (sizeBytes > maxBytes) {
    await dispose()
    return 'too-large'
  }
  const content = Buffer.concat(held)
  const read = file
    ? () => createReadStream(path, { highWaterMark: MAX_HELD_BYTES })
    : () => fromChunks(content)
  return { sizeBytes, ...(file && { path }), open: read, dispose }
}

async function openNew(dir: string, path: string): Promise<FileHandle> {
  await mkdir(dir, { recursive: true })
  return open(path, 'wx', 0o600)
}

/** The same bytes; `end` runs once when they have been read, dropped, or never asked for. */
export function endingWith(source: ByteSource, end: () => Promise<void>): ByteSource {
  const chunks = source[Symbol.asyncIterator]()
  let ended: Promise<void> | undefined
  const finish = () => (ended ??= end())
  const iterator: AsyncIterator<Uint8Array> = {
    async next() {
      try {
        const step = await chunks.next()
        if (step.done) await finish()
        return step
      } catch (error) {
        await finish()
        throw error
      }
    },
    async return() {
      await chunks.return?.()
      await finish()
      return { done: true, value: undefined }
    },
  }
  return { [Symbol.asyncIterator]: () => iterator }
}
