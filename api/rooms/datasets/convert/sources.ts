import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Ctx } from '../../../core/ctx.ts'
import type { Snapshot } from '../../../core/git/index.ts'
import { openObject } from '../../../core/lfs/index.ts'
import type { ByteRange, ByteSource } from '../../../stores/storage/index.ts'
import type { SourceFile } from '../configs/source-file.ts'
import { compressionOf } from './child/decompress.ts'
import type { LocalFile } from './child/messages.ts'

/** The bytes of a large file are not here: a mirror holds what was pulled. */
export class MissingBytes extends Error {
  readonly path: string

  constructor(path: string) {
    super(`The bytes of ${path} are not on this server`)
    this.path = path
  }
}

/** A source file, ready to be read. */
export interface OpenSource {
  open(range?: ByteRange): Promise<ByteSource>
  /** Where it lies on this machine, if it does. */
  localPath: string | undefined
}

/** Opens a data file. Throws `MissingBytes`. */
export async function openSource(ctx: Ctx, snapshot: Snapshot, file: SourceFile): Promise<OpenSource> {
  const { sha256, oid, path } = file
  if (sha256 === undefined)
    return {
      localPath: undefined,
      open: async (range) => {
        const blob = await snapshot.openBlob(oid, range)
        if (!blob) throw new Error(`the blob ${oid} is gone`)
        return blob.source
      },
    }
  const object = await openObject(ctx, snapshot.repoId, sha256)
  if (object.presence !== 'present') throw new MissingBytes(path)
  const key = object.key()
  const localPath = key === undefined ? undefined : ctx.blobs.localPath(key)
  return { localPath, open: (range) => object.open(range, ctx.signal) }
}

/**
 * Files of a split on this machine: where the store has them, else copied into `folder`. Ends with the file that brings
 * more than `maxBytes`, of which no more is copied than is read.
 */
export async function bringSources(
  ctx: Ctx,
  snapshot: Snapshot,
  files: readonly SourceFile[],
  { folder, maxBytes }: { folder: string; maxBytes: number },
): Promise<{ files: LocalFile[]; isCut: boolean }> {
  const local: LocalFile[] = []
  let bytes = 0
  for (const [i, file] of files.entries()) {
    if (bytes > maxBytes) return { files: local, isCut: true }
    const source = await openSource(ctx, snapshot, file)
    const isPlain = compressionOf(file.path) === undefined
    const most = isPlain ? maxBytes - bytes + 1 : file.sizeBytes
    const path = source.localPath ?? join(folder, `raw-${i}`)
    if (source.localPath === undefined)
      await pipeline(
        Readable.from(await source.open({ offset: 0, length: Math.min(most, file.sizeBytes) })),
        createWriteStream(path),
        { signal: ctx.signal },
      )
    local.push({ name: file.path, path })
    bytes += file.sizeBytes
  }
  return { files: local, isCut: false }
}
