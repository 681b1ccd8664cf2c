import { Text, Tooltip } from '@mantine/core'
import { useEffect, useState } from 'react'
import { formatCompact, formatExact, formatExactTime, formatRelative, formatSize } from '../lib/format.ts'

/** A size in three digits; the exact bytes on hover. */
export function Size({ bytes }: { bytes: number }) {
  return <Hinted label={`${formatExact(bytes)} bytes`} text={formatSize(bytes)} mono />
}

/** A count in compact form; the exact number on hover. */
export function CountNumber({ value }: { value: number }) {
  return <Hinted label={formatExact(value)} text={formatCompact(value)} />
}

/** A time as distance from now, kept current; the exact time on hover. */
export function TimeAgo({ time }: { time: string }) {
  const nowMs = useMinute()
  return (
    <Tooltip label={formatExactTime(time)}>
      <time dateTime={time}>{formatRelative(time, nowMs)}</time>
    </Tooltip>
  )
}

function Hinted({ label, text, mono = false }: { label: string; text: string; mono?: boolean }) {
  return (
    <Tooltip label={label}>
      <Text span inherit {...(mono ? { ff: 'monospace' } : {})}>
        {text}
      </Text>
    </Tooltip>
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
