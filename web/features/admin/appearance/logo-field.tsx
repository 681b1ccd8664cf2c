import { Alert, Button, FileButton, Group, Stack, Text } from '@mantine/core'
import { useRef, useState } from 'react'
import { limits } from '../../../../shared/vocabulary.ts'
import { pictureTypes } from '../../../lib/pictures.ts'
import { problemText } from '../../../lib/form-errors.ts'
import { notifyDone } from '../../../lib/notify.ts'
import { Logo } from '../../../ui/logo.tsx'
import { useRemoveLogo, useSetLogo } from './queries.ts'

/** Shows the logo, uploads another one, and removes it. */
export function LogoField({ hasLogo }: { hasLogo: boolean }) {
  const set = useSetLogo()
  const remove = useRemoveLogo()
  const clear = useRef<() => void>(null)
  const [fault, setFault] = useState<string>()
  const error = set.error ?? remove.error
  const shown = fault ?? (error && problemText(error))
  const choose = (file: File | null) => {
    if (!file) return
    remove.reset()
    set.reset()
    // Else the same file could not be chosen once more.
    clear.current?.()
    const isLarge = file.size > limits.logoBytes
    setFault(isLarge ? 'A logo may have at most 256 KiB. Make the image smaller.' : undefined)
    if (!isLarge) set.mutate(file, { onSuccess: () => notifyDone('Logo uploaded') })
  }
  const drop = () => {
    set.reset()
    setFault(undefined)
    remove.mutate(undefined, { onSuccess: () => notifyDone('Logo removed') })
  }
  return (
    <Stack gap="xs">
      <Group gap="md" role="group" aria-label="Logo">
        <Logo size={48} />
        <Stack gap={6}>
          <Group gap="xs">
            <FileButton accept={pictureTypes} resetRef={clear} onChange={choose}>
              {(props) => (
                <Button {...props} size="xs" variant="default" loading={set.isPending}>
                  {hasLogo ? 'Change logo' : 'Upload logo'}
                </Button>
              )}
            </FileButton>
            {hasLogo && (
              <Button size="xs" variant="subtle" color="danger" loading={remove.isPending} onClick={drop}>
                Remove logo
              </Button>
            )}
          </Group>
          <Text size="xs" c="dimmed">
            PNG, JPEG or WebP, at most 256 KiB. It is shown in a square and is seen at once.
          </Text>
        </Stack>
      </Group>
      {shown && (
        <Alert color="danger" role="alert">
          {shown}
        </Alert>
      )}
    </Stack>
  )
}
