import { CorruptObject, ObjectTooLarge } from '../errors.ts'

/*
 * A delta (gitformat-pack): varint source size · varint result size · instructions
 *   1xxxxxxx: copy from the source; bits 0–3 say which offset bytes follow, bits 4–6 which size bytes (0 means 0x10000)
 *   0nnnnnnn: insert the next n bytes (n > 0)
 */

/** Bytes that surely hold both size varints of a delta. */
export const DELTA_SIZES_BYTES = 20

/** The two sizes a delta starts with. `bytes` may be just its beginning. */
export function readDeltaSizes(bytes: Buffer): { sourceBytes: number; resultBytes: number; next: number } {
  const source = readVarint(bytes, 0)
  const result = readVarint(bytes, source.next)
  return { sourceBytes: source.value, resultBytes: result.value, next: result.next }
}

/** Rebuilds an object from its base. Throws `CorruptObject`, or `ObjectTooLarge` before allocating. */
export function applyDelta(base: Buffer, delta: Buffer, maxBytes: number): Buffer {
  const { sourceBytes, resultBytes, next } = readDeltaSizes(delta)
  if (sourceBytes !== base.length) throw new CorruptObject('delta is for a base of another size')
  if (resultBytes > maxBytes) throw new ObjectTooLarge(resultBytes)
  const out = Buffer.allocUnsafe(resultBytes)
  let at = next
  let written = 0
  while (at < delta.length) {
    const op = delta[at++] ?? 0
    if (op === 0) throw new CorruptObject('delta with a reserved instruction')
    let from = delta
    let offset = at
    let size = op
    if (op & 0x80) {
      from = base
      ;({ offset, size, at } = readCopy(delta, op, at))
    } else at += size
    if (offset + size > from.length || written + size > resultBytes)
      throw new CorruptObject('delta runs out of bounds')
    from.copy(out, written, offset, offset + size)
    written += size
  }
  if (written !== resultBytes) throw new CorruptObject('delta result is too short')
  return out
}

function readCopy(delta: Buffer, op: number, from: number): { offset: number; size: number; at: number } {
  let at = from
  let offset = 0
  let size = 0
  for (let i = 0; i < 4; i++) if (op & (1 << i)) offset += (delta[at++] ?? 0) * 2 ** (8 * i)
  for (let i = 0; i < 3; i++) if (op & (0x10 << i)) size += (delta[at++] ?? 0) * 2 ** (8 * i)
  return { offset, size: size || 0x10000, at }
}

function readVarint(bytes: Buffer, from: number): { value: number; next: number } {
  let value = 0
  let at = from
  for (let scale = 1; ; scale *= 128) {
    const byte = bytes[at++]
    if (byte === undefined || scale > 2 ** 49) throw new CorruptObject('delta header cut short')
    value += (byte & 0x7f) * scale
    if (byte < 0x80) return { value, next: at }
  }
}
