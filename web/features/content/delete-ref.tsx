import { Button, Group, Stack, Text } from '@mantine/core'
import { notifyDone, notifyProblem } from '../../lib/notify.ts'
import { useRepo } from '../../lib/repo-context.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { useDeleteRef } from './queries.ts'

interface DeleteRefProps {
  kind: 'branch' | 'tag'
  name: string
  onClose: () => void
}

/** Deletes a branch or a tag, after asking. */
export default function DeleteRef({ kind, name, onClose }: DeleteRefProps) {
  const { address } = useRepo()
  const remove = useDeleteRef(address)
  const submit = () =>
    remove.mutate(
      { kind, name },
      {
        onSuccess: () => {
          notifyDone(`The ${kind} ${name} is deleted`)
          onClose()
        },
        onError: notifyProblem,
      },
    )
  return (
    <Dialog onClose={onClose} title={`Delete the ${kind} ${name}`}>
      <Stack gap="sm">
        <Text size="sm">
          {kind === 'branch'
            ? 'Its commits that no other branch has can no longer be reached, and are removed later.'
            : 'The commit itself stays where a branch has it.'}
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Keep it
          </Button>
          <Button color="danger" loading={remove.isPending} onClick={submit}>
            Delete
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
