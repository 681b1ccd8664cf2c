import { Button, Group, Stack, Text } from '@mantine/core'
import { notifyProblem } from '../../lib/notify.ts'
import { useRepo } from '../../lib/repo-context.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { useHideComment } from './queries.ts'

interface HideCommentProps {
  num: number
  id: string
  onClose: () => void
}

/** Asks before a comment is hidden, since nothing brings its text back. */
export default function HideComment({ num, id, onClose }: HideCommentProps) {
  const { address } = useRepo()
  const hide = useHideComment(address, num)
  return (
    <Dialog onClose={onClose} title="Hide this comment">
      <Stack gap="sm">
        <Text size="sm">
          Its text is erased for everyone, and cannot be brought back. That there was a comment, by whom and
          when, stays visible.
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            Keep it
          </Button>
          <Button
            color="danger"
            loading={hide.isPending}
            onClick={() => hide.mutate(id, { onSuccess: onClose, onError: notifyProblem })}
          >
            Hide for good
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
