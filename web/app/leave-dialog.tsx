import { Button, Group, Stack, Text } from '@mantine/core'
import { Dialog } from '../ui/dialog.tsx'

interface LeaveDialogProps {
  onStay: () => void
  onLeave: () => void
}

/** The question whether what was written may be lost. */
export default function LeaveDialog({ onStay, onLeave }: LeaveDialogProps) {
  return (
    <Dialog title="Leave without saving?" onClose={onStay}>
      <Stack gap="md">
        <Text size="sm">What you have written or begun on this page is not saved, and would be lost.</Text>
        <Group gap="xs" justify="flex-end">
          <Button variant="default" data-autofocus onClick={onStay}>
            Keep writing
          </Button>
          <Button color="danger" onClick={onLeave}>
            Leave
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
