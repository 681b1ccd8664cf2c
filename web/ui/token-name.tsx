import { Box, Text } from '@mantine/core'

interface TokenNameProps {
  name: string
  prefix: string
  /** How many tokens it was made with, one from another. */
  depth?: number
  /** Name of the token it was made with. */
  parent?: string | undefined
}

/** A token in a list: its name, how its secret begins, and the token that it ends with. */
export function TokenName({ name, prefix, depth = 0, parent }: TokenNameProps) {
  return (
    <Box pl={Math.min(depth, 4) * 16}>
      <Text size="sm">{name}</Text>
      <Text size="xs" c="dimmed" ff="monospace">
        {prefix}…
      </Text>
      {parent !== undefined && (
        <Text size="xs" c="dimmed">
          Made with {parent}, ends with it
        </Text>
      )}
    </Box>
  )
}
