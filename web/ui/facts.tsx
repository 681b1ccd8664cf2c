import { useSyncExternalStore } from 'react'
import { formatCompact, formatExact, formatExactTime, formatRelative, formatSize } from '../lib/format.ts'
import classes from './ui.module.css'

// The exact value is a native title on a plain element: a list of 500 rows carries some 2000 of these.

/** A size in three digits; the exact bytes on hover. */
export function Size({ bytes }: { bytes: number }) {
  return (
    <span className={classes['mono']} title={`${formatExact(bytes)} bytes`}>
      {formatSize(bytes)}
    </span>
  )
}

/** A count in compact form; the exact number on hover. */
export function CountNumber({ value }: { value: number }) {
  return <span title={formatExact(value)}>{formatCompact(value)}</span>
}

/** A time as distance from now, kept current; the exact time on hover. */
export function TimeAgo({ time }: { time: string }) {
  const minuteMs = useMinute()
  const aheadMs = Date.parse(time) - minuteMs
  // What happened since the clock last ticked is not in the future.
  const nowMs = aheadMs > 0 && aheadMs < tickMs ? minuteMs + aheadMs : minuteMs
  return (
    <time dateTime={time} title={formatExactTime(time)}>
      {formatRelative(time, nowMs)}
    </time>
  )
}

const tickMs = 60_000

/** One clock for all times of the page: it runs while any is shown. */
const listeners = new Set<() => void>()
let clockMs = Date.now()
let timer: ReturnType<typeof setInterval> | undefined

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) clockMs = Date.now()
  listeners.add(listener)
  timer ??= setInterval(() => {
    clockMs = Date.now()
    for (const each of listeners) each()
  }, tickMs)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** The present, at most a minute old; the server draws a page once, at its own. */
const useMinute = () => useSyncExternalStore(subscribe, () => clockMs, Date.now)
