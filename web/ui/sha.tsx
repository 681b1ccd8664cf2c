import { Group, Text } from '@mantine/core'
import { CopyButton } from './copy-button.tsx'

/** A hash shortened for the eye; the whole of it is copied. */
export function Sha({ sha, length = 8, label }: { sha: string; length?: number; label: string }) {
  return (
    <Group gap={2} wrap="nowrap" display="inline-flex">
      <Text span ff="monospace" size="xs" title={sha}>
        {sha.slice(0, length)}
      </Text>
      <CopyButton text={sha} label={label} />
    </Group>
  )
}
