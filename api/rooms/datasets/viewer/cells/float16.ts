/** The number of sixteen bits (IEEE 754, binary16). */
export function float16(bits: number): number {
  const [sign, exponent, rest] = [bits >> 15 ? -1 : 1, (bits >> 10) & 0x1f, bits & 0x3ff]
  if (exponent === 0) return sign * 2 ** -14 * (rest / 1024)
  if (exponent === 31) return rest ? Number.NaN : sign * Infinity
  return sign * 2 ** (exponent - 15) * (1 + rest / 1024)
}
