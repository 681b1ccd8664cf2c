import { byLanguage } from './languages.ts'

// Numbers and dates follow the browser's languages; units, suffixes and other words are the field's, as clients print them.

/** Formats numbers as the browser's languages do: `1.234,5` in German. */
export function numberFormat(options: Intl.NumberFormatOptions = {}): (value: number) => string {
  const made = byLanguage((languages) => new Intl.NumberFormat(languages, options))
  return (value) => made().format(value)
}

/** Formats times as the browser's languages do: `29. Nov. 2026` in German. */
export function dateFormat(options: Intl.DateTimeFormatOptions): (time: string | Date) => string {
  const made = byLanguage((languages) => new Intl.DateTimeFormat(languages, options))
  return (time) => made().format(new Date(time))
}

const withDigits = (digits: number) =>
  numberFormat({ minimumFractionDigits: digits, maximumFractionDigits: digits })
const [whole, oneDigit, twoDigits] = [withDigits(0), withDigits(1), withDigits(2)]
const atMostOneDigit = numberFormat({ maximumFractionDigits: 1 })

/** A value below a thousand with its unit; `limit` is what is no longer shown in a unit. */
function inUnit<Unit>(value: number, units: readonly [Unit, ...Unit[]], limit: number): [number, Unit] {
  const step = units.findIndex((_, i) => i === units.length - 1 || Math.abs(value) < limit * 1000 ** i)
  return [value / 1000 ** step, units[step] ?? units[0]]
}

/** Bytes with three significant digits in decimal units, as hub clients print them: `4.37 GB`. */
export function formatSize(bytes: number): string {
  const [value, unit] = inUnit(bytes, ['B', 'kB', 'MB', 'GB', 'TB', 'PB'], 999.5)
  const format = unit === 'B' || value >= 99.95 ? whole : value >= 9.995 ? oneDigit : twoDigits
  return `${format(value)} ${unit}`
}

export const formatExact = numberFormat()

/** A count as the field writes it: `7B`, `1.2K`. */
export function formatCompact(count: number): string {
  const [value, suffix] = inUnit(count, ['', 'K', 'M', 'B', 'T'], 999.95)
  return `${atMostOneDigit(value)}${suffix}`
}

/** A number of rows of a table: `1 row`, `1.2K rows`. */
export function formatRows(count: number, format: (count: number) => string = formatCompact): string {
  return `${format(count)} ${count === 1 ? 'row' : 'rows'}`
}

const percents = (digits: number) =>
  numberFormat({ style: 'percent', minimumFractionDigits: digits, maximumFractionDigits: digits })
const percentsTo = [percents(0), percents(1)] as const

/** A share from 0 to 1 in percent; one too small for its digits as less than the smallest: `<1%`. */
export function formatShare(share: number, digits: 0 | 1 = 0): string {
  const least = 0.01 / 10 ** digits
  const format = percentsTo[digits]
  return share > 0 && share < least ? `<${format(least)}` : format(share)
}

/** Each with its length and from how many seconds on it is used: 90 days are not 2 months. */
const steps = [
  ['year', 31_557_600, 31_557_600],
  ['month', 2_629_800, 100 * 86_400],
  ['day', 86_400, 86_400],
  ['hour', 3600, 3600],
  ['minute', 60, 60],
] as const
// Words of an English sentence, such as “Updated 3 hours ago”.
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

export const formatExactTime = dateFormat({ dateStyle: 'medium', timeStyle: 'long' })

/** A day that the server names by its date in UTC. */
export const formatUtcDay = dateFormat({ dateStyle: 'medium', timeZone: 'UTC' })

const shortDay = byLanguage((languages) => new Intl.DateTimeFormat(languages, { dateStyle: 'medium' }))
/** From the day of one time to that of another; one day where both are on it. */
export const formatDays = (from: string, to: string) => shortDay().formatRange(new Date(from), new Date(to))

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
