import { LRUCache } from 'lru-cache'
import { decodeIndex, FormatError, hashText, type XorbIndex } from '../format/index.ts'
import type { Ask } from './pieces.ts'

/**
 * At most 20 MiB of indexes, each of 8192 chunks, by the keys of their xorbs: to read and check one takes as long as all
 * else that a small file needs, and a folder's files come out of few xorbs.
 */
const kept = new LRUCache<string, XorbIndex>({ max: 64 })

/** Asks for the index of a stored xorb. Throws FormatError `xorb-index` when it is not that of this xorb any more. */
export async function askIndex(ask: Ask, xorb: string): Promise<XorbIndex> {
  const index = decodeIndex(await ask<Uint8Array>('index', xorb))
  if (hashText(index.hash) !== xorb)
    throw new FormatError('xorb-index', `the stored index of the container ${xorb} is that of another`)
  return index
}

/** As `askIndex`, unless a task of this thread has asked for it before. */
export async function askIndexOnce(ask: Ask, xorb: string): Promise<XorbIndex> {
  const key = await ask<string>('key', xorb)
  const known = kept.get(key)
  if (known) return known
  const index = await askIndex(ask, xorb)
  kept.set(key, index)
  return index
}
