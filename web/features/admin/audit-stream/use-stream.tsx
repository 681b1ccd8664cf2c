import { Box, Button, Skeleton, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { problemText } from '../../../lib/form-errors.ts'
import { streamQuery, type AuditStream } from './queries.ts'
import { StreamDialog } from './stream-dialog.tsx'
import { StreamState } from './stream-state.tsx'

/** The stream of the audit log on its page: the button that opens its dialog, and a line on how it does. */
export function useStream() {
  const { data, error } = useQuery(streamQuery)
  const [isOpen, { open, close }] = useDisclosure(false)
  const button = (
    <Button variant="default" onClick={open} disabled={data === undefined}>
      Stream
    </Button>
  )
  const line = (
    <Box component="section" aria-label="Stream" mih={22} mb="md">
      {data === undefined ? <NoAnswer error={error} /> : <Line stream={data} />}
      {isOpen && data !== undefined && <StreamDialog stream={data} onClose={close} />}
    </Box>
  )
  return { button, line }
}

const NoAnswer = ({ error }: { error: Error | null }) =>
  error ? <Text size="sm">{problemText(error)}</Text> : <Skeleton h={14} w={240} maw="100%" />

function Line({ stream }: { stream: AuditStream | null }) {
  if (!stream)
    return (
      <Text size="sm" c="dimmed">
        The log is sent to no other system.
      </Text>
    )
  return (
    <>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        The log is sent to{' '}
        <Text span inherit ff="monospace">
          {new URL(stream.url).host}
        </Text>
        .
      </Text>
      <StreamState stream={stream} />
    </>
  )
}
