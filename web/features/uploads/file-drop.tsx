import { Button, Group, Stack, Text } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import '@mantine/dropzone/styles.css'
import { IconUpload } from '@tabler/icons-react'
import { useRef } from 'react'
import { chosenFrom } from './paths.ts'

interface FileDropProps {
  folder: string
  isDisabled: boolean
  onFiles: (files: { path: string; file: File }[]) => void
}

/** Where files and folders are dropped or chosen. */
export function FileDrop({ folder, isDisabled, onFiles }: FileDropProps) {
  const folderInput = useRef<HTMLInputElement>(null)
  const chooseFiles = useRef<() => void>(null)
  const take = (files: File[]) => onFiles(chosenFrom(files, folder))
  return (
    <Stack gap="xs">
      <Dropzone
        onDrop={take}
        disabled={isDisabled}
        p="xl"
        openRef={chooseFiles}
        inputProps={{ 'aria-label': 'Files to upload' }}
        // The buttons below do the same with a name, and in the order of Tab.
        activateOnKeyboard={false}
        tabIndex={-1}
      >
        <Stack align="center" gap={4} style={{ pointerEvents: 'none' }}>
          <IconUpload size={32} aria-hidden />
          <Text fw={600}>Drop files or folders here</Text>
          <Text size="sm" c="dimmed" ta="center">
            or press to choose files; large ones resume where they stopped
          </Text>
        </Stack>
      </Dropzone>
      <Group gap="xs">
        <Button size="xs" variant="default" disabled={isDisabled} onClick={() => chooseFiles.current?.()}>
          Choose files
        </Button>
        <Button
          size="xs"
          variant="default"
          disabled={isDisabled}
          onClick={() => folderInput.current?.click()}
        >
          Choose a folder
        </Button>
        <input
          ref={(input) => {
            folderInput.current = input
            input?.setAttribute('webkitdirectory', '')
          }}
          type="file"
          multiple
          hidden
          aria-label="Folder to upload"
          onChange={(event) => {
            take([...(event.currentTarget.files ?? [])])
            event.currentTarget.value = ''
          }}
        />
      </Group>
    </Stack>
  )
}
