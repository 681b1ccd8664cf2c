import { encodeIndex, hashText, XorbReader } from '../format/index.ts'
import type { VerifiedXorb } from './messages.ts'
import { askedBytes, type Ask } from './asked-bytes.ts'

/** Checks every chunk of a xorb and computes its hash. Throws FormatError. */
export async function verifyXorb(ask: Ask): Promise<VerifiedXorb> {
  const reader = new XorbReader()
  for await (const piece of askedBytes(ask, 'next')) reader.push(piece)
  const index = reader.finish()
  return {
    hash: hashText(index.hash),
    n: index.n,
    unpackedBytes: index.unpacked,
    bodyBytes: index.bodyBytes,
    index: encodeIndex(index),
  }
}
