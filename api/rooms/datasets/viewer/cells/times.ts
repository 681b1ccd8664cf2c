const NANOS: Record<TimeUnit, bigint> = { s: 1_000_000_000n, ms: 1_000_000n, us: 1000n, ns: 1n }
const DAY = 86_400_000_000_000n

export type TimeUnit = 's' | 'ms' | 'us' | 'ns'

const floorDiv = (a: bigint, b: bigint) => (a < 0n && a % b !== 0n ? a / b - 1n : a / b)

/** Fraction of a second as Python prints it: none, six digits, or nine where nanoseconds are stored. */
function fraction(nanos: bigint): string {
  if (nanos === 0n) return ''
  const digits = nanos.toString().padStart(9, '0')
  return `.${digits.endsWith('000') ? digits.slice(0, 6) : digits}`
}

function clock(nanosOfDay: bigint): string {
  const seconds = nanosOfDay / NANOS.s
  const two = (n: bigint) => n.toString().padStart(2, '0')
  return `${two(seconds / 3600n)}:${two((seconds / 60n) % 60n)}:${two(seconds % 60n)}${fraction(nanosOfDay % NANOS.s)}`
}

/** `2016-07-01` of days since 1970; the number itself where no calendar reaches. */
export function dateText(days: bigint): string {
  const ms = Number(days) * 86_400_000
  if (Math.abs(ms) > 8.64e15) return days.toString()
  return new Date(ms).toISOString().replace(/T.*$/, '')
}

/** `2016-07-01T00:00:00.000001`, with `Z` where the column is of UTC. */
export function timestampText(value: bigint, unit: TimeUnit, isUtc: boolean): string {
  const nanos = value * NANOS[unit]
  const days = floorDiv(nanos, DAY)
  return `${dateText(days)}T${clock(nanos - days * DAY)}${isUtc ? 'Z' : ''}`
}

/** `10:20:30.5` of a time of day. */
export function timeText(value: bigint, unit: TimeUnit): string {
  return clock(value * NANOS[unit])
}

/** `-1 day, 23:59:59`, as Python writes a `timedelta`. */
export function durationText(value: bigint, unit: TimeUnit): string {
  const nanos = value * NANOS[unit]
  const days = floorDiv(nanos, DAY)
  const time = clock(nanos - days * DAY).replace(/^0(\d:)/, '$1')
  return days === 0n ? time : `${days} day${days === 1n || days === -1n ? '' : 's'}, ${time}`
}

/** An unscaled decimal with its point: 12345 with scale 2 is `123.45`. */
export function decimalText(unscaled: bigint, scale: number): string {
  if (scale <= 0) return (unscaled * 10n ** BigInt(-scale)).toString()
  const digits = (unscaled < 0n ? -unscaled : unscaled).toString().padStart(scale + 1, '0')
  return `${unscaled < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

/** A signed big-endian integer. */
export function bigEndian(bytes: Uint8Array): bigint {
  if (bytes.length === 0) return 0n
  return BigInt.asIntN(bytes.length * 8, BigInt(`0x${Buffer.from(bytes).toString('hex')}`))
}
