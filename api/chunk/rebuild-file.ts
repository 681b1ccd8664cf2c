import type { Ctx } from '../ctx.ts'
import { newId } from '../db/index.ts'
import { findObjects, reserveKey } from '../lfs/index.ts'
import { Problem } from '../problems/index.ts'
import { blobKeys, collect, derived, type ByteSource } from '../storage/index.ts'
import { giveUp } from '../uploads/index.ts'
import type { RebuildRow, XorbRow } from './queries.ts'
import { Outlet } from './threads/outlet.ts'
import { own } from './threads/messages.ts'
import { runTask } from './threads/pool.ts'
import { readIndex } from './xorb-index.ts'

/** A file that was put together. */
export interface Rebuilt {
  /** Lower-case hex. */
  sha256: string
  /** Where its bytes are; `undefined` when the object was there already. */
  key?: string
}

interface Run {
  signal: AbortSignal
  /** Told of bytes that were put together. */
  progress(bytes: number): Promise<void>
}

const TERM_BYTES = 48

/**
 * Puts one file together from its terms. Its SHA-256 is computed whatever the sender said and whether or not the object
 * exists. Throws Problem `digest-mismatch`, FormatError and StoreError for chunks that do not hold any more.
 */
export async function rebuildFile(
  ctx: Ctx,
  row: RebuildRow,
  xorbs: Map<string, XorbRow>,
  run: Run,
): Promise<Rebuilt> {
  const claimed = row.claimed_sha256 ?? (await hashFile(ctx, row, xorbs, run))
  if ((await findObjects(ctx.db, [claimed])).length > 0) {
    const found = row.claimed_sha256 === null ? claimed : await hashFile(ctx, row, xorbs, run)
    if (found !== claimed) throw mismatch(row, found)
    return { sha256: claimed }
  }
  const key = blobKeys.lfsObject(claimed, newId())
  await ctx.db.write((tx) => reserveKey(tx, ctx, key))
  try {
    await ctx.blobs.put(key, rebuiltBytes(ctx, row, claimed, xorbs, run), { sizeBytes: row.size })
  } catch (error) {
    await giveUp(ctx, key)
    throw error
  }
  return { sha256: claimed, key }
}

const mismatch = ({ file_hash, claimed_sha256 }: RebuildRow, found: string) =>
  new Problem('digest-mismatch', {
    detail: `The file ${file_hash} was sent as SHA-256 ${claimed_sha256 ?? 'unknown'}, but its bytes have ${found}.`,
  })

async function hashFile(ctx: Ctx, row: RebuildRow, xorbs: Map<string, XorbRow>, run: Run): Promise<string> {
  const reader = new RangeReader(ctx, row, xorbs, run)
  try {
    const put = async () => undefined
    return (
      await runTask('rebuild', { ...planOf(row), isWanted: false }, { ...reader.asked, put }, run.signal)
    ).sha256
  } finally {
    await reader.close()
  }
}

const planOf = ({ terms, size }: RebuildRow) => ({ terms, sizeBytes: size })

/** The bytes of a file as the thread puts them together; they end only if they have the SHA-256 `expected`. */
function rebuiltBytes(
  ctx: Ctx,
  row: RebuildRow,
  expected: string,
  xorbs: Map<string, XorbRow>,
  run: Run,
): ByteSource {
  return derived([], async function* () {
    const reader = new RangeReader(ctx, row, xorbs, run)
    const givenUp = new AbortController()
    const signal = AbortSignal.any([run.signal, givenUp.signal])
    const outlet = new Outlet()
    const asked = { ...reader.asked, put: outlet.put }
    const task = runTask('rebuild', { ...planOf(row), isWanted: true }, asked, signal)
    task.then(outlet.end, outlet.fail)
    try {
      for await (const bytes of outlet.bytes()) {
        yield bytes
        await run.progress(bytes.length)
      }
      const { sha256 } = await task
      if (sha256 !== expected) throw mismatch(row, sha256)
    } finally {
      givenUp.abort(new Error('nobody takes the bytes'))
      await reader.close()
    }
  })
}

/** Answers what a rebuild asks: terms of the shard, indexes and ranges of xorbs. */
class RangeReader {
  readonly #ctx: Ctx
  readonly #row: RebuildRow
  readonly #xorbs: Map<string, XorbRow>
  readonly #signal: AbortSignal
  #range: AsyncIterator<Uint8Array> | undefined
  #rest: Uint8Array = new Uint8Array()

  constructor(ctx: Ctx, row: RebuildRow, xorbs: Map<string, XorbRow>, { signal }: Run) {
    this.#ctx = ctx
    this.#row = row
    this.#xorbs = xorbs
    this.#signal = signal
  }

  readonly asked = {
    terms: async ({ from, count }: { from: number; count: number }): Promise<Uint8Array> => {
      const length = count * TERM_BYTES
      const range = { offset: this.#row.terms_offset + from * TERM_BYTES, length }
      const bytes = await collect(
        await this.#ctx.blobs.read(this.#row.shard_key, range, this.#signal),
        length,
      )
      return own(new Uint8Array(bytes))
    },
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
      await this.close()
      const source = await this.#ctx.blobs.read(this.#xorb(hash).key, { offset, length }, this.#signal)
      this.#range = source[Symbol.asyncIterator]()
    },
    body: async (memory: ArrayBuffer): Promise<Uint8Array | undefined> => {
      const into = new Uint8Array(memory)
      let filled = 0
      while (filled < into.length) {
        if (this.#rest.length === 0 && !(await this.#more())) break
        const taken = Math.min(this.#rest.length, into.length - filled)
        into.set(this.#rest.subarray(0, taken), filled)
        this.#rest = this.#rest.subarray(taken)
        filled += taken
      }
      return filled > 0 ? own(into.subarray(0, filled)) : undefined
    },
  }

  async close(): Promise<void> {
    const range = this.#range
    this.#range = undefined
    this.#rest = new Uint8Array()
    await range?.return?.()
  }

  async #more(): Promise<boolean> {
    const step = await this.#range?.next()
    if (!step || step.done) return false
    this.#rest = step.value
    return true
  }

  #xorb(hash: string): XorbRow {
    const xorb = this.#xorbs.get(hash)
    if (!xorb)
      throw new Problem('invalid-request', { detail: `The chunk container ${hash} is kept no longer.` })
    return xorb
  }
}
