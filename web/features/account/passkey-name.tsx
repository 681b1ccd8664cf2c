import { Alert, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { problemText } from '../../lib/form-errors.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { FormActions } from '../../ui/form-actions.tsx'

interface PasskeyNameProps<R> {
  title: string
  action: string
  note?: string
  initial?: string
  change: {
    isPending: boolean
    error: Error | null
    mutate: (name: string, options: { onSuccess: (result: R) => void }) => void
  }
  onDone: (result: R) => void
  onClose: () => void
}

/** Asks what a passkey is called, for a new one or another name. */
export function PasskeyName<R>(props: PasskeyNameProps<R>) {
  const { title, action, note, initial = '', change, onDone, onClose } = props
  const [name, setName] = useState(initial)
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          change.mutate(name.trim(), { onSuccess: onDone })
        }}
      >
        <Stack gap="sm">
          {change.error && <Alert color="danger">{problemText(change.error)}</Alert>}
          <TextInput
            label="Name"
            description="The device that keeps it, such as “Work laptop”"
            required
            maxLength={100}
            data-autofocus
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          {note && <Text size="sm">{note}</Text>}
          <FormActions isPending={change.isPending} isDisabled={name.trim() === ''} onClose={onClose}>
            {action}
          </FormActions>
        </Stack>
      </form>
    </Dialog>
  )
}
