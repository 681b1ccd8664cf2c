const sizeUnits = ['B', 'kB', 'MB', 'GB', 'TB', 'PB']

/** Bytes with three significant digits in decimal units, as hub clients print them: `4.37 GB`. */
export function formatSize(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 999.5 && unit < sizeUnits.length - 1) {
    value /= 1000
    unit++
  }
  const digits = unit === 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2
  return `${value.toFixed(digits)} ${sizeUnits[unit]}`
}

const exactNumber = new Intl.NumberFormat('en')
const compactNumber = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

export const formatExact = (value: number) => exactNumber.format(value)
export const formatCompact = (value: number) => compactNumber.format(value)

/** Each with its length and from how many seconds on it is used: 90 days are not 2 months. */
const steps = [
  ['year', 31_557_600, 31_557_600],
  ['month', 2_629_800, 100 * 86_400],
  ['day', 86_400, 86_400],
  ['hour', 3600, 3600],
  ['minute', 60, 60],
] as const
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

/** How long ago or ahead a time is: `3 hours ago`. What is ahead is rounded: a token made for 90 days ends in 90 days. */
export function formatRelative(time: string, nowMs: number): string {
  const seconds = (Date.parse(time) - nowMs) / 1000
  const ahead = seconds > 0
  for (const [unit, length, from] of steps)
    if (Math.abs(seconds) >= (ahead ? from * 0.99 : from))
      return relative.format(ahead ? Math.round(seconds / length) : Math.trunc(seconds / length), unit)
  return Math.abs(seconds) < 10 ? 'just now' : relative.format(Math.trunc(seconds), 'second')
}

const exactTime = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'long' })
export const formatExactTime = (time: string) => exactTime.format(new Date(time))

const shortDay = new Intl.DateTimeFormat('en', { dateStyle: 'medium' })
/** From the day of one time to that of another; one day where both are on it. */
export const formatDays = (from: string, to: string) => shortDay.formatRange(new Date(from), new Date(to))

const durationUnits = [
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
  ['s', 1],
] as const

/** Seconds as the two largest units, the second only where there is some of it: `2 h 5 min`, `28 d`. */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  const at = durationUnits.findIndex(([, length]) => whole >= length)
  const [first, second] = at < 0 ? durationUnits.slice(-1) : durationUnits.slice(at, at + 2)
  if (!first) return ''
  const text = `${Math.floor(whole / first[1])} ${first[0]}`
  const rest = second ? Math.floor((whole % first[1]) / second[1]) : 0
  return second && rest > 0 ? `${text} ${rest} ${second[0]}` : text
}

const longUnits = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

/** A set length of time in words, in its largest whole unit: `7 days`, `12 hours`. */
export function formatLongDuration(seconds: number): string {
  const [unit, length] = longUnits.find(([, size]) => seconds >= size) ?? ['second', 1]
  const count = Math.floor(seconds / length)
  return `${formatExact(count)} ${unit}${count === 1 ? '' : 's'}`
}
