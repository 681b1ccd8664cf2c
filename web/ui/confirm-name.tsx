import { Stack, Text, TextInput } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { Dialog } from './dialog.tsx'
import { FormActions } from './form-actions.tsx'

interface ConfirmNameProps {
  title: string
  /** What has to be typed. */
  name: string
  action: string
  isPending: boolean
  onConfirm: () => void
  onClose: () => void
  children: ReactNode
}

/** Asks for a name to be typed before something is taken away. */
export function ConfirmName({
  title,
  name,
  action,
  isPending,
  onConfirm,
  onClose,
  children,
}: ConfirmNameProps) {
  const [typed, setTyped] = useState('')
  return (
    <Dialog onClose={onClose} title={title}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (typed === name) onConfirm()
        }}
      >
        <Stack gap="sm">
          <Text component="div" size="sm">
            {children}
          </Text>
          <TextInput
            label={
              <>
                Type{' '}
                <Text span ff="monospace" inherit>
                  {name}
                </Text>{' '}
                to confirm
              </>
            }
            data-autofocus
            autoComplete="off"
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <FormActions isPending={isPending} isDisabled={typed !== name} isDanger onClose={onClose}>
            {action}
          </FormActions>
        </Stack>
      </form>
    </Dialog>
  )
}
