import { LRUCache } from 'lru-cache'
import { decodeIndex, FormatError, hashText, type XorbIndex } from '../format/index.ts'
import type { Ask } from './asked-bytes.ts'

/**
 * At most 20 MiB of indexes, each of 8192 chunks, by the names they are asked for under (`indexName`): to read and check one takes as long as all
 * else that a small file needs, and a manifest's files come out of few xorbs.
 */
const kept = new LRUCache<string, XorbIndex>({ max: 64 })

/** The indexes of the stored xorbs that a task reads: asked for once by all tasks of this thread while they are kept. */
export class Indexes {
  readonly #ask: Ask
  readonly #names = new Map<string, string>()

  constructor(ask: Ask) {
    this.#ask = ask
  }

  /** By the xorb's string form. Throws FormatError `xorb-index` when what is stored is not the index of this xorb any more. */
  async of(xorb: string): Promise<XorbIndex> {
    const name = this.#names.get(xorb) ?? (await this.#askName(xorb))
    const known = kept.get(name)
    if (known) return known
    const index = decodeIndex(await this.#ask<Uint8Array>('index', xorb))
    if (hashText(index.hash) !== xorb)
      throw new FormatError('xorb-index', `the stored index of the container ${xorb} is that of another`)
    kept.set(name, index)
    return index
  }

  async #askName(xorb: string): Promise<string> {
    const name = await this.#ask<string>('key', xorb)
    this.#names.set(xorb, name)
    return name
  }
}
