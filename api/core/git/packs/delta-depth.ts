import { setImmediate as breathe } from 'node:timers/promises'
import { CorruptObject } from '../errors.ts'
import { ENTRY_HEADER_MAX_BYTES, parseEntryHeader } from './pack-entry.ts'
import { PackFile } from './pack-file.ts'
import { PackIndex } from './pack-index.ts'
import type { MadePack } from './finished-pack.ts'

/** Deltas between an object and its base; longer chains are refused. git itself writes at most 4095. */
export const MAX_DELTA_DEPTH = 4095

const HEADERS_PER_TURN = 5000
const NONE = -1

/**
 * Whether a pack that git has accepted holds a chain of more than `most` deltas, by the headers of its entries alone. Its
 * bases lie in itself.
 */
export async function hasDeeperDeltas(pack: MadePack, most = MAX_DELTA_DEPTH): Promise<boolean> {
  if (pack.objects <= most) return false
  const index = PackIndex.parse(pack.index, pack.sha1)
  const offsets = Float64Array.from({ length: index.length }, (_, i) => index.offsetAt(i)).sort()
  const bases = await basesOf(pack, index, offsets)
  const depths = new Int32Array(bases.length).fill(NONE)
  for (let i = 0; i < bases.length; i++) {
    const chain: number[] = []
    let at = i
    for (; at !== NONE && depths[at] === NONE; at = bases[at] ?? NONE) chain.push(at)
    let depth = at === NONE ? NONE : (depths[at] ?? NONE)
    for (const link of chain.toReversed()) depths[link] = ++depth
    if (depth > most) return true
  }
  return false
}

/** Of each entry in the order of their offsets: which one it is a delta of. */
async function basesOf(pack: MadePack, index: PackIndex, offsets: Float64Array): Promise<Int32Array> {
  const bases = new Int32Array(offsets.length).fill(NONE)
  const file = new PackFile('incoming', pack.path)
  try {
    for (const [i, offset] of offsets.entries()) {
      if (i % HEADERS_PER_TURN === 0) await breathe()
      const header = parseEntryHeader(file.peek(offset, ENTRY_HEADER_MAX_BYTES))
      if (header.type) continue
      const base = header.baseOid ? index.find(header.baseOid) : offset - (header.baseDistance ?? 0)
      bases[i] = positionOf(offsets, base)
    }
  } finally {
    file.close()
  }
  return bases
}

function positionOf(offsets: Float64Array, offset: number | undefined): number {
  let low = 0
  let high = offsets.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((offsets[middle] ?? 0) < (offset ?? 0)) low = middle + 1
    else high = middle
  }
  if (offset === undefined || offsets[low] !== offset)
    throw new CorruptObject('delta base is not in the pack')
  return low
}
