import { Button } from '@mantine/core'
import { IconPhotoPlus } from '@tabler/icons-react'
import { useRef } from 'react'
import { imageTypes } from './image-fault.ts'

/** Chooses images from the disk. */
export function PickImages({ onFiles }: { onFiles: (files: File[]) => void }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button
        size="compact-xs"
        variant="subtle"
        color="gray"
        w="fit-content"
        leftSection={<IconPhotoPlus size={14} aria-hidden />}
        onClick={() => input.current?.click()}
      >
        Attach images
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept={imageTypes.join(',')}
        aria-label="Images to attach"
        onChange={(event) => {
          onFiles([...(event.currentTarget.files ?? [])])
          event.currentTarget.value = ''
        }}
      />
    </>
  )
}
