import type { Ctx } from '../../core/ctx.ts'
import { unknownXorb } from './validate-shard.ts'
import { recordBytes } from './format/index.ts'
import type { RebuildRow, XorbRow } from './queries.ts'
import type { ShardTerms } from './shard-terms.ts'
import { lending } from './threads/feed.ts'
import { own } from './threads/messages.ts'
import { indexName, readIndex } from './xorb-index.ts'

interface RangeRun {
  signal: AbortSignal
  terms: ShardTerms
}

/** Answers what a rebuild asks: terms of the shard, indexes and ranges of xorbs. */
export class RangeReader {
  readonly #ctx: Pick<Ctx, 'blobs'>
  readonly #row: Pick<RebuildRow, 'shard_key' | 'terms_offset'>
  readonly #xorbs: Map<string, XorbRow>
  readonly #signal: AbortSignal
  readonly #terms: ShardTerms
  /** Whose index or bytes were asked for last. */
  lastRead: XorbRow | undefined
  #range: ReturnType<typeof lending> | undefined
  #isClosed = false

  constructor(
    ctx: Pick<Ctx, 'blobs'>,
    row: Pick<RebuildRow, 'shard_key' | 'terms_offset'>,
    xorbs: Map<string, XorbRow>,
    run: RangeRun,
  ) {
    this.#ctx = ctx
    this.#row = row
    this.#xorbs = xorbs
    this.#signal = run.signal
    this.#terms = run.terms
  }

  readonly asked = {
    terms: async ({ from, count }: { from: number; count: number }): Promise<Uint8Array> => {
      const bytes = await this.#terms.read(this.#row.terms_offset + from * recordBytes, count * recordBytes)
      return own(new Uint8Array(bytes))
    },
    key: async (hash: string): Promise<string> => indexName(this.#row.shard_key, this.#xorb(hash).key),
    index: (hash: string): Promise<Uint8Array> => readIndex(this.#ctx, this.#xorb(hash)),
    open: async ({
      hash,
      offset,
      length,
    }: {
      hash: string
      offset: number
      length: number
    }): Promise<void> => {
      await this.#leave()
      const source = await this.#ctx.blobs.read(this.#xorb(hash).key, { offset, length }, this.#signal)
      this.#range = lending(source)
      // What was opened meanwhile would never be read.
      if (this.#isClosed) await this.#leave()
    },
    body: async (isOneDone?: boolean): Promise<Uint8Array | undefined> => this.#range?.next(isOneDone),
  }

  /** The rebuild is over. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#leave()
  }

  async #leave(): Promise<void> {
    const range = this.#range
    this.#range = undefined
    await range?.close()
  }

  #xorb(hash: string): XorbRow {
    const xorb = this.#xorbs.get(hash)
    if (!xorb) throw unknownXorb(hash)
    this.lastRead = xorb
    return xorb
  }
}
