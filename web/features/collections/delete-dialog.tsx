import { Button, Group, Stack, Text } from '@mantine/core'
import { useNavigate } from 'react-router'
import { notifyProblem } from '../../lib/notify.ts'
import { pages } from '../../lib/pages.ts'
import type { Collection } from '../../lib/types.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { useDeleteCollection, type CollectionAddress } from './queries.ts'

interface DeleteDialogProps {
  collection: Collection
  at: CollectionAddress
  onClose: () => void
}

/** Asks before a collection is deleted, since nothing brings its notes and order back. */
export default function DeleteDialog({ collection, at, onClose }: DeleteDialogProps) {
  const remove = useDeleteCollection(at)
  const navigate = useNavigate()
  return (
    <Dialog onClose={onClose} title={`Delete ${collection.title}`}>
      <Stack gap="sm">
        <Text size="sm">Its notes and its order end at once. The repos in it stay where they are.</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            Keep it
          </Button>
          <Button
            color="danger"
            loading={remove.isPending}
            onClick={() =>
              remove.mutate(undefined, {
                onSuccess: () => void navigate(pages.namespace(collection.ns)),
                onError: notifyProblem,
              })
            }
          >
            Delete collection
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
