import type { Ctx } from '../../core/ctx.ts'
import { Problem } from '../../platform/problems/index.ts'
import { requireQuota } from '../repos/index.ts'
import { findSentXorbs, type XorbRow } from './queries.ts'
import type { DescribedFile } from './threads/messages.ts'
import { contentOf, findUsableContents, namesOf } from './usable-contents.ts'
import { readIndex } from './xorb-index.ts'
import type { ChunkWriter } from './writer.ts'

/** Clients describe at most some hundred files at once; a manifest of millions would be one transaction. */
const MAX_FILES = 20_000

/** What a shard may hold: its files are counted and its xorbs looked up as the threads come upon them. */
export class ShardValidation {
  /** By string form: the xorbs it names. */
  readonly xorbs = new Map<string, XorbRow>()
  /** Each content once: a shard may repeat a file, and the first counts. */
  readonly files = new Map<string, DescribedFile>()
  readonly #ctx: Ctx
  readonly #writer: ChunkWriter
  /** Whose index was asked for last. */
  lastRead: XorbRow | undefined
  #newBytes = 0
  #unnamedBytes = 0
  readonly #objects: { sha256: string; sizeBytes: number }[] = []

  constructor(ctx: Ctx, writer: ChunkWriter) {
    this.#ctx = ctx
    this.#writer = writer
  }

  /** Asked before any hash of these files is looked at: throws for what is too large and for xorbs that are not theirs. */
  readonly validate = async ({
    files,
    xorbs,
  }: {
    files: DescribedFile[]
    xorbs: string[]
  }): Promise<void> => {
    const fresh = files.filter((file) => {
      if (this.files.has(contentOf(file))) return false
      this.files.set(contentOf(file), file)
      return true
    })
    if (this.files.size > MAX_FILES)
      throw new Problem('invalid-request', {
        detail: `The upload's manifest describes more than ${MAX_FILES} files.`,
      })
    await this.#weigh(fresh)
    await this.#find(xorbs.filter((hash) => !this.xorbs.has(hash)))
  }

  /** Of a xorb that was validated: the key of its bytes. */
  readonly key = async (hash: string): Promise<string> => this.#validated(hash).key

  /** Of a xorb that was validated: its encoded index. */
  readonly index = (hash: string): Promise<Uint8Array> => {
    this.lastRead = this.#validated(hash)
    return readIndex(this.#ctx, this.lastRead)
  }

  #validated(hash: string): XorbRow {
    const xorb = this.xorbs.get(hash)
    if (!xorb) throw new Error('a xorb that was not validated')
    return xorb
  }

  /** One file, and four times that in all (chunk-upload.md §9), without what the writer may use already. */
  async #weigh(files: DescribedFile[]): Promise<void> {
    const max = this.#ctx.config.chunk.max_file_size
    const tooLarge = files.find(({ sizeBytes }) => sizeBytes > max)
    if (tooLarge)
      throw new Problem('file-too-large', {
        detail: `A file of this upload has ${tooLarge.sizeBytes} bytes; chunk.max_file_size allows ${max}.`,
      })
    await this.#requireQuota(files)
    const known = new Set((await findUsableContents(this.#ctx.db, this.#ctx, files)).flatMap(namesOf))
    for (const file of files) if (!known.has(contentOf(file))) this.#newBytes += file.sizeBytes
    if (this.#newBytes > 4 * max)
      throw new Problem('file-too-large', {
        detail: `This upload would put together more than ${4 * max} bytes, four times chunk.max_file_size; send fewer files at once.`,
      })
  }

  /** Of files without a SHA-256 it is not known yet whether the namespace holds them. */
  async #requireQuota(files: DescribedFile[]): Promise<void> {
    for (const { sha256, sizeBytes } of files)
      if (sha256 === undefined) this.#unnamedBytes += sizeBytes
      else this.#objects.push({ sha256, sizeBytes })
    const wanted = { bytes: this.#unnamedBytes, objects: this.#objects }
    await requireQuota(this.#ctx, this.#writer.repoId, wanted)
  }

  async #find(hashes: string[]): Promise<void> {
    for (const xorb of await findSentXorbs(this.#ctx.db, this.#writer.userId, hashes))
      this.xorbs.set(xorb.xorb_hash, xorb)
    const missing = hashes.find((hash) => !this.xorbs.has(hash))
    if (missing !== undefined) throw unknownXorb(missing)
  }
}

/** One answer for what was never here, what was deleted, and what another user sent. */
export const unknownXorb = (hash: string) =>
  new Problem('invalid-request', {
    detail:
      `The upload names the chunk container ${hash}, which this account has not sent to this server or which is kept no longer. ` +
      'Delete $HF_HOME/xet/*/shard-cache and $HF_HOME/xet/*/staging, or set HF_HUB_DISABLE_XET=1, then try again.',
  })
