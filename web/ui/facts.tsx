import { Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { formatCompact, formatExact, formatExactTime, formatRelative, formatSize } from '../lib/format.ts'

// The exact value is a native title: a list of 500 rows must not carry 2000 floating elements.

/** A size in three digits; the exact bytes on hover. */
export function Size({ bytes }: { bytes: number }) {
  return (
    <Text span inherit ff="monospace" title={`${formatExact(bytes)} bytes`}>
      {formatSize(bytes)}
    </Text>
  )
}

/** A count in compact form; the exact number on hover. */
export function CountNumber({ value }: { value: number }) {
  return (
    <Text span inherit title={formatExact(value)}>
      {formatCompact(value)}
    </Text>
  )
}

/** A time as distance from now, kept current; the exact time on hover. */
export function TimeAgo({ time }: { time: string }) {
  const nowMs = useMinute()
  return (
    <time dateTime={time} title={formatExactTime(time)}>
      {formatRelative(time, nowMs)}
    </time>
  )
}

function useMinute(): number {
  const [nowMs, setNowMs] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 60_000)
    return () => clearInterval(timer)
  }, [])
  return nowMs
}
