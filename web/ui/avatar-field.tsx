import { Alert, Button, FileButton, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { useRemoveAvatar, useSetAvatar } from '../lib/avatar.ts'
import { problemText } from '../lib/form-errors.ts'
import { namespaceQuery } from '../lib/namespace.ts'
import { notifyDone } from '../lib/notify.ts'
import { pictureTypes } from '../lib/pictures.ts'
import { AvatarPicture } from './avatar-picture.tsx'

/** Shows the avatar of a person or an organisation, uploads another one, and removes it. */
export function AvatarField({ ns }: { ns: string }) {
  const { data } = useQuery(namespaceQuery(ns))
  const set = useSetAvatar(ns)
  const remove = useRemoveAvatar(ns)
  const clear = useRef<() => void>(null)
  const error = set.error ?? remove.error
  const choose = (file: File | null) => {
    if (!file) return
    remove.reset()
    // Else the same file could not be chosen once more.
    clear.current?.()
    set.mutate(file, { onSuccess: () => notifyDone('Avatar uploaded') })
  }
  const drop = () => {
    set.reset()
    remove.mutate(undefined, { onSuccess: () => notifyDone('Avatar removed') })
  }
  return (
    <Stack gap="xs">
      <Group gap="md" role="group" aria-label="Avatar">
        <AvatarPicture ns={ns} size={72} />
        <Stack gap={6}>
          <Group gap="xs">
            <FileButton accept={pictureTypes} resetRef={clear} onChange={choose}>
              {(props) => (
                <Button {...props} size="xs" variant="default" loading={set.isPending}>
                  {data?.has_avatar ? 'Change avatar' : 'Upload avatar'}
                </Button>
              )}
            </FileButton>
            {data?.has_avatar && (
              <Button size="xs" variant="subtle" color="danger" loading={remove.isPending} onClick={drop}>
                Remove avatar
              </Button>
            )}
          </Group>
          <Text size="xs" c="dimmed">
            PNG, JPEG or WebP. The middle square is shown.
          </Text>
        </Stack>
      </Group>
      {error && (
        <Alert color="danger" role="alert">
          {problemText(error)}
        </Alert>
      )}
    </Stack>
  )
}
