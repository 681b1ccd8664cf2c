/** When transfers may run (`pull.windows`), by the clock on the wall of `server.timezone`. */

const MINUTES = 24 * 60

const minutesOf = (time: string): number => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

/** Minutes since midnight on the wall. */
function wallMinutes(now: Date, timezone: string): number {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone: timezone || 'UTC',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(now)
  return minutesOf(parts)
}

/**
 * The time such as `01:00` that transfers wait for; `undefined` while they may run. A window may cross midnight, and one
 * that begins when it ends is the whole day.
 */
export function waitsFor(windows: readonly string[], timezone: string, now: Date): string | undefined {
  if (windows.length === 0) return undefined
  const at = wallMinutes(now, timezone)
  const openings: { wait: number; time: string }[] = []
  for (const window of windows) {
    const [from = '', to = ''] = window.split('-')
    const [start, end] = [minutesOf(from), minutesOf(to)]
    const length = (end - start + MINUTES) % MINUTES || MINUTES
    if ((at - start + MINUTES) % MINUTES < length) return undefined
    openings.push({ wait: (start - at + MINUTES) % MINUTES, time: from })
  }
  return openings.toSorted((a, b) => a.wait - b.wait)[0]?.time
}
