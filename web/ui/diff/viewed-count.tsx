import { Group, Progress, Text } from '@mantine/core'

/** How far the reader has come. */
export function ViewedCount({ viewed, of }: { viewed: number; of: number }) {
  const text = `${viewed} of ${of} viewed`
  return (
    <Group gap={8} wrap="nowrap">
      <Text size="sm" c="dimmed" role="status">
        {text}
      </Text>
      <Progress value={(100 * viewed) / of} w={72} size="sm" aria-label="Files viewed" />
    </Group>
  )
}
