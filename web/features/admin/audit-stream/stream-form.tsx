import { Alert, Checkbox, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { showProblem } from '../../../lib/form-errors.ts'
import { notifyDone } from '../../../lib/notify.ts'
import { useUnsaved } from '../../../lib/unsaved.ts'
import { FormActions } from '../../../ui/form-actions.tsx'
import { PasswordInput } from '../../../ui/password-input.tsx'
import { useSetStream, type AuditStream, type StreamSettings } from './queries.ts'

interface Values extends Record<string, unknown> {
  url: string
  token: string
  removes_token: boolean
  from_start: boolean
}

const bodyOf = ({ url, token, removes_token, from_start }: Values): StreamSettings => ({
  url,
  ...(token ? { token } : removes_token && { token: null }),
  ...(from_start && { from_start }),
})

interface StreamFormProps {
  /** The one that is changed; none: it is made. */
  stream: AuditStream | null
  onClose: () => void
}

/** Sets where the audit log is sent. */
export function StreamForm({ stream, onClose }: StreamFormProps) {
  const form = useForm<Values>({
    initialValues: { url: stream?.url ?? '', token: '', removes_token: false, from_start: false },
  })
  const [fault, setFault] = useState<string>()
  const set = useSetStream()
  useUnsaved(form.isDirty())
  const submit = form.onSubmit((values) => {
    setFault(undefined)
    set.mutate(bodyOf(values), {
      onSuccess: () => {
        notifyDone('Stream saved')
        onClose()
      },
      onError: (error) => setFault(showProblem(form, error)),
    })
  })
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {fault && <Alert color="danger">{fault}</Alert>}
        <TextInput
          label="Address"
          description="Gets the rows as lines of JSON in POST requests"
          placeholder="https://siem.example.com/arsenal"
          type="url"
          required
          data-autofocus
          {...form.getInputProps('url')}
        />
        <PasswordInput
          label="Token"
          description={
            stream?.has_token
              ? 'One is set, and is never shown. Empty: it stays.'
              : 'Sent as Authorization: Bearer. Stored encrypted, and never shown again. Empty: none.'
          }
          autoComplete="off"
          disabled={form.values.removes_token}
          {...form.getInputProps('token')}
        />
        {stream?.has_token && (
          <Checkbox label="Remove the token" {...form.getInputProps('removes_token', { type: 'checkbox' })} />
        )}
        <Checkbox
          label="Send the whole log"
          description={
            stream
              ? 'From its first row, also what was sent before. Otherwise the stream goes on where it is.'
              : 'From its first row. Otherwise the stream begins now.'
          }
          {...form.getInputProps('from_start', { type: 'checkbox' })}
        />
        <FormActions isPending={set.isPending} onClose={onClose}>
          Save
        </FormActions>
      </Stack>
    </form>
  )
}
