/**
 * Undoes BG4 (chunk-upload.md §7): `grouped` holds bytes 0, 4, 8, … of the chunk, then 1, 5, 9, …, then 2, …, then 3, …; the
 * first `length mod 4` groups are one byte longer. Writes the chunk to `out`, which has the length of `grouped`.
 */
export function ungroup(grouped: Uint8Array, out: Uint8Array): void {
  const total = grouped.length
  const whole = total >>> 2
  const extra = total & 3
  const second = whole + (extra > 0 ? 1 : 0)
  const third = second + whole + (extra > 1 ? 1 : 0)
  const fourth = third + whole + (extra > 2 ? 1 : 0)
  const input = new DataView(grouped.buffer, grouped.byteOffset, total)
  const output = new DataView(out.buffer, out.byteOffset, total)
  // Four bytes of each group at a time: a 4 × 4 transposition in registers.
  const blocks = whole & ~3
  for (let i = 0, at = 0; i < blocks; i += 4, at += 16) {
    const a = input.getInt32(i, true)
    const b = input.getInt32(second + i, true)
    const c = input.getInt32(third + i, true)
    const d = input.getInt32(fourth + i, true)
    const abEven = (a & 0x00ff00ff) | ((b & 0x00ff00ff) << 8)
    const abOdd = ((a >>> 8) & 0x00ff00ff) | (b & 0xff00ff00)
    const cdEven = (c & 0x00ff00ff) | ((d & 0x00ff00ff) << 8)
    const cdOdd = ((c >>> 8) & 0x00ff00ff) | (d & 0xff00ff00)
    output.setInt32(at, (abEven & 0xffff) | (cdEven << 16), true)
    output.setInt32(at + 4, (abOdd & 0xffff) | (cdOdd << 16), true)
    output.setInt32(at + 8, (abEven >>> 16) | (cdEven & 0xffff0000), true)
    output.setInt32(at + 12, (abOdd >>> 16) | (cdOdd & 0xffff0000), true)
  }
  const starts = [0, second, third, fourth]
  for (let at = 4 * blocks; at < total; at++) out[at] = grouped[starts[at & 3]! + (at >>> 2)]!
}
