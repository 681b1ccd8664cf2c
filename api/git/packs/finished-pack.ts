import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isAbsentFile } from '../errors.ts'
import { PackIndex } from './pack-index.ts'
import type { FinishedPack } from './pack-writer.ts'

/** A pack that git has made in `dir`, ready to be stored. */
export async function readPack(dir: string, sha1: string): Promise<FinishedPack> {
  const path = join(dir, `pack-${sha1}.pack`)
  const index = await readFile(join(dir, `pack-${sha1}.idx`))
  const { length, packSha1 } = PackIndex.parse(index, Buffer.from(sha1, 'hex'))
  const bitmap = await readFile(join(dir, `pack-${sha1}.bitmap`)).catch((error: unknown) => {
    if (isAbsentFile(error)) return undefined
    throw error
  })
  const sizeBytes = (await stat(path)).size
  return { path, sizeBytes, sha1: packSha1, objects: length, index, ...(bitmap && { bitmap }) }
}
