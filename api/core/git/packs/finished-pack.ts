import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { CHUNK_BYTES, type ByteSource } from '../../../stores/storage/index.ts'
import { isAbsentFile } from '../errors.ts'
import { PackIndex } from './pack-index.ts'

/** A pack ready to be stored; its bytes are there until its maker disposes of them. */
export interface FinishedPack {
  /** All bytes, any number of times. */
  open(): ByteSource
  sizeBytes: number
  /** The pack's trailer: SHA-1 of all bytes before it. */
  sha1: Buffer
  objects: number
  /** Bytes of the `.idx`. */
  index: Buffer
  /** Bytes of the `.bitmap`, where git made one. */
  bitmap?: Buffer
}

/** The bytes of a pack's file. */
export const streamOf = (path: string): ByteSource => createReadStream(path, { highWaterMark: CHUNK_BYTES })

/** A pack that git has made. */
export interface MadePack extends FinishedPack {
  path: string
}

/** A pack that git has made in `dir`, ready to be stored. */
export async function readPack(dir: string, sha1: string): Promise<MadePack> {
  const path = join(dir, `pack-${sha1}.pack`)
  const index = await readFile(join(dir, `pack-${sha1}.idx`))
  const { length, packSha1 } = PackIndex.parse(index, Buffer.from(sha1, 'hex'))
  const bitmap = await readFile(join(dir, `pack-${sha1}.bitmap`)).catch((error: unknown) => {
    if (isAbsentFile(error)) return undefined
    throw error
  })
  const sizeBytes = (await stat(path)).size
  return {
    path,
    open: () => streamOf(path),
    sizeBytes,
    sha1: packSha1,
    objects: length,
    index,
    ...(bitmap && { bitmap }),
  }
}
