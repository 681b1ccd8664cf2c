import { decodeIndex, FormatError, hashText, type XorbIndex } from '../format/index.ts'
import type { Ask } from './pieces.ts'

/** Asks for the index of a stored xorb. Throws FormatError `xorb-index` when it is not that of this xorb any more. */
export async function askIndex(ask: Ask, xorb: string): Promise<XorbIndex> {
  const index = decodeIndex(await ask<Uint8Array>('index', xorb))
  if (hashText(index.hash) !== xorb)
    throw new FormatError('xorb-index', `the stored index of the container ${xorb} is that of another`)
  return index
}
