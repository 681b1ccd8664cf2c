import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { UserActor } from '../../core/access/index.ts'
import type { Ctx } from '../../core/ctx.ts'
import { recordObject, reserveKeys } from '../../core/lfs/index.ts'
import { givenContent } from '../../core/lfs/testing.ts'
import { safetensorsFile } from '../../core/parsers/testing/samples.ts'
import { blobKeys, type BlobStore, type ByteRange } from '../../stores/storage/index.ts'
import { newId } from '../../stores/db/index.ts'
import type { World } from '../../testing.ts'
import type { CommitOperation } from '../content/index.ts'
import type { Repo } from '../repos/index.ts'

type Shape = [dtype: string, shape: number[], bytesEach: number]

/** A header of tensors that follow each other, and how many bytes they take. */
export function headerOf(tensors: Record<string, Shape>, metadata?: Record<string, string>) {
  let at = 0
  const header: Record<string, unknown> = metadata ? { __metadata__: metadata } : {}
  for (const [name, [dtype, shape, bytesEach]] of Object.entries(tensors)) {
    const size = shape.reduce((product, dimension) => product * dimension, bytesEach)
    header[name] = { dtype, shape, data_offsets: [at, at + size] }
    at += size
  }
  return { header, dataBytes: at }
}

/** A whole file of such tensors; each is filled with a byte of its own, or with zeros. */
export function weights(
  tensors: Record<string, [...Shape, fill?: number]>,
  metadata?: Record<string, string>,
): Buffer {
  const shapes = Object.entries(tensors).map(([name, [dtype, shape, each]]): [string, Shape] => [
    name,
    [dtype, shape, each],
  ])
  const { header } = headerOf(Object.fromEntries(shapes), metadata)
  const data = Object.values(tensors).map(([, shape, each, fill = 0]) =>
    Buffer.alloc(
      shape.reduce((product, dimension) => product * dimension, each),
      fill,
    ),
  )
  return safetensorsFile(header, Buffer.concat(data))
}

/** Operation that adds bytes. */
export const put = (path: string, content: Buffer): CommitOperation => ({ op: 'add', path, content })

/** Large files whose data are holes of the file system: they have any size and take no room. All that is read is counted. */
export class SparseFiles {
  readonly #world: World
  readonly #paths = new Map<string, string>()
  readBytes = 0

  constructor(world: World) {
    this.#world = world
  }

  /** Stores a header followed by `dataBytes` of zeros as a large file of the repo. */
  async add(
    owner: UserActor,
    repo: Repo,
    path: string,
    { header, dataBytes }: { header: unknown; dataBytes: number },
  ): Promise<CommitOperation> {
    const head = safetensorsFile(header)
    const sizeBytes = head.length + dataBytes
    const { sha256 } = givenContent(8)
    const key = blobKeys.lfsObject(sha256, newId())
    const place = join(this.#world.dir, sha256)
    const file = await open(place, 'w')
    await file.write(head)
    await file.truncate(sizeBytes)
    await file.close()
    this.#paths.set(key, place)
    const ofOwner = { repoId: repo.id, userId: owner.id }
    const ctx = this.#world.ctx(owner)
    await this.#world.db.write(async (tx) => {
      await reserveKeys(tx, ctx, [key])
      await recordObject(tx, ctx, { sha256, sizeBytes, key }, ofOwner)
    })
    return { op: 'add-lfs', path, sha256, sizeBytes }
  }

  /** A context whose store has them. */
  over(ctx: Ctx): Ctx {
    const read: BlobStore['read'] = async (key, range, signal) => {
      const place = this.#paths.get(key)
      return place === undefined ? ctx.blobs.read(key, range, signal) : this.#read(place, range)
    }
    return { ...ctx, blobs: Object.assign(Object.create(ctx.blobs) as BlobStore, { read }) }
  }

  async *#read(place: string, range: ByteRange | undefined): AsyncGenerator<Uint8Array> {
    const { offset = 0, length } = range ?? {}
    const end = length === undefined ? {} : { end: offset + length - 1 }
    for await (const chunk of createReadStream(place, { start: offset, ...end })) {
      this.readBytes += (chunk as Buffer).byteLength
      yield chunk as Buffer
    }
  }
}
