import { Button, Group } from '@mantine/core'
import type { ReactNode } from 'react'

interface FormActionsProps {
  /** What sending the form does. */
  children: ReactNode
  isPending: boolean
  isDisabled?: boolean
  /** It deletes something: the other button then keeps it. */
  isDanger?: boolean
  onClose: () => void
}

/** The end of a form in a dialog: closes it, or sends it. */
export function FormActions({
  children,
  isPending,
  isDisabled,
  isDanger = false,
  onClose,
}: FormActionsProps) {
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={onClose}>
        {isDanger ? 'Keep it' : 'Cancel'}
      </Button>
      <Button
        type="submit"
        loading={isPending}
        {...(isDisabled === undefined ? {} : { disabled: isDisabled })}
        {...(isDanger ? { color: 'danger' } : {})}
      >
        {children}
      </Button>
    </Group>
  )
}
