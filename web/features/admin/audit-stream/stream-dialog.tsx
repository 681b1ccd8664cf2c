import { Alert, Button, Group, Stack, Switch, Text } from '@mantine/core'
import { useState } from 'react'
import { notifyDone, notifyProblem } from '../../../lib/notify.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { useDeleteStream, useSetStream, useTestStream, type AuditStream } from './queries.ts'
import { StreamForm } from './stream-form.tsx'
import { StreamState } from './stream-state.tsx'

interface StreamDialogProps {
  stream: AuditStream | null
  onClose: () => void
}

/** Where the audit log is sent: set, looked at, tried, paused and ended. */
export function StreamDialog({ stream, onClose }: StreamDialogProps) {
  const [view, setView] = useState<'about' | 'edit' | 'delete'>(stream ? 'about' : 'edit')
  const about = () => setView('about')
  if (!stream || view === 'edit')
    return (
      <Dialog onClose={onClose} title={stream ? 'Edit the stream' : 'Stream the audit log'} size="lg">
        <StreamForm stream={stream} onClose={stream ? about : onClose} />
      </Dialog>
    )
  if (view === 'delete') return <DeleteStream onKeep={about} onClose={onClose} />
  return (
    <Dialog onClose={onClose} title="Stream of the audit log" size="lg">
      <About stream={stream} onEdit={() => setView('edit')} onDelete={() => setView('delete')} />
    </Dialog>
  )
}

interface AboutProps {
  stream: AuditStream
  onEdit: () => void
  onDelete: () => void
}

function About({ stream, onEdit, onDelete }: AboutProps) {
  const { url, enabled, has_token } = stream
  const set = useSetStream()
  const test = useTestStream()
  return (
    <Stack gap="sm">
      <Text size="sm" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
        {url}
      </Text>
      <StreamState stream={stream} />
      <Text size="sm" c="dimmed">
        {has_token ? 'Requests carry a token.' : 'Requests carry no token.'}
      </Text>
      <Switch
        label="Switched on"
        description="While it is off, rows wait; they expire after 400 days"
        checked={enabled}
        disabled={set.isPending}
        onChange={(event) =>
          set.mutate({ url, enabled: event.currentTarget.checked }, { onError: notifyProblem })
        }
      />
      <Group gap="xs">
        <Button
          size="xs"
          loading={test.isPending}
          onClick={() => test.mutate(undefined, { onError: notifyProblem })}
        >
          Send a test
        </Button>
        <Button size="xs" variant="default" onClick={onEdit}>
          Edit
        </Button>
        <Button size="xs" variant="outline" color="danger" onClick={onDelete}>
          Delete
        </Button>
      </Group>
      {test.data && !test.isPending && (
        <Alert
          role="status"
          color={test.data.ok ? 'safe' : 'danger'}
          title={test.data.ok ? 'The test was taken' : 'The test was not taken'}
        >
          {test.data.error ?? `The answer was ${test.data.status}.`}
        </Alert>
      )}
    </Stack>
  )
}

function DeleteStream({ onKeep, onClose }: { onKeep: () => void; onClose: () => void }) {
  const remove = useDeleteStream()
  const confirm = () =>
    remove.mutate(undefined, {
      onSuccess: () => {
        notifyDone('Stream deleted')
        onClose()
      },
      onError: notifyProblem,
    })
  return (
    <Dialog onClose={onClose} title="Delete the stream">
      <Stack gap="sm">
        <Text size="sm">
          The audit log stays here, and nothing more of it is sent. Rows that wait are not sent either.
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onKeep} data-autofocus>
            Keep it
          </Button>
          <Button color="danger" loading={remove.isPending} onClick={confirm}>
            Delete stream
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
