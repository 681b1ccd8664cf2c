import { Button, Group, Progress, Stack, Text } from '@mantine/core'
import { faultOf } from './image-fault.ts'
import type { ImageOnItsWay } from './use-images.ts'

interface ImageListProps {
  images: ImageOnItsWay[]
  onRemove: (id: number) => void
  onRetry: (id: number) => void
}

/** Images on their way into a comment, and those that could not be sent. */
export default function ImageList({ images, onRemove, onRetry }: ImageListProps) {
  return (
    <Stack gap={6} component="ul" aria-label="Images on their way" m={0} p={0} style={{ listStyle: 'none' }}>
      {images.map((image) => (
        <li key={image.id}>
          <Group gap="xs" wrap="nowrap" align="center">
            <Stack gap={2} style={{ flex: 1, minWidth: 0 }}>
              <Text size="sm" truncate>
                {image.file.name}
              </Text>
              <State image={image} />
            </Stack>
            {image.fault && !faultOf(image.file) && (
              <Button
                size="compact-xs"
                variant="default"
                aria-label={`Send ${image.file.name} again`}
                onClick={() => onRetry(image.id)}
              >
                Retry
              </Button>
            )}
            <Button
              size="compact-xs"
              variant="default"
              aria-label={`${image.fault ? 'Dismiss' : 'Cancel'} ${image.file.name}`}
              onClick={() => onRemove(image.id)}
            >
              {image.fault ? 'Dismiss' : 'Cancel'}
            </Button>
          </Group>
        </li>
      ))}
    </Stack>
  )
}

function State({ image: { file, part, fault } }: { image: ImageOnItsWay }) {
  if (fault)
    return (
      <Text size="xs" c="var(--mantine-color-danger-text)" role="alert">
        {fault}
      </Text>
    )
  return (
    <Progress.Root size="sm">
      <Progress.Section value={part * 100} aria-label={`${file.name} is being sent`} />
    </Progress.Root>
  )
}
