import { Text } from '@mantine/core'
import { dateFormat, formatExact } from '../../../lib/format.ts'
import { TimeAgo } from '../../../ui/facts.tsx'
import type { AuditStream } from './queries.ts'

const clock = dateFormat({ timeStyle: 'short' })

const rows = (count: number) => (count === 1 ? '1 row' : `${formatExact(count)} rows`)

/** How the stream does, in words. */
export function StreamState({ stream }: { stream: AuditStream }) {
  const {
    enabled,
    failing_since: failing,
    next_attempt_at: next,
    sent_at: sent,
    error,
    waiting,
    lost,
  } = stream
  return (
    <Text size="sm" component="div" style={{ overflowWrap: 'anywhere' }}>
      {!enabled && 'The stream is paused. '}
      {failing && (
        <>
          <Text span inherit c="danger">
            Sending fails: {error}
          </Text>{' '}
          It first failed <TimeAgo time={failing} />
          {next && `; the next attempt is at ${clock(next)}`}.{' '}
        </>
      )}
      {sent ? (
        <>
          Rows were last sent <TimeAgo time={sent} />.{' '}
        </>
      ) : (
        'No row was sent yet. '
      )}
      {waiting === 0 ? 'None is waiting.' : `${rows(waiting)} ${waiting === 1 ? 'is' : 'are'} waiting.`}
      {lost > 0 && (
        <Text span inherit c="danger">
          {' '}
          {rows(lost)} expired before they were sent.
        </Text>
      )}
    </Text>
  )
}
