/** How recent a time is among others: from 0, the first of them, to 1, the last. */
export function heatOf(times: string[]): (time: string) => number {
  let first = Infinity
  let last = -Infinity
  for (const time of times) {
    first = Math.min(first, Date.parse(time))
    last = Math.max(last, Date.parse(time))
  }
  return (time) => (last > first ? (Date.parse(time) - first) / (last - first) : 0)
}
