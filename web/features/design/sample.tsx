import { Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** A text without a place to break, and one that does not end. */
export const unbroken = 'a-name-without-a-single-place-to-break-'.repeat(5)
export const endless = 'A sentence that goes on, and on, as people write them. '.repeat(8)

/** One state of a component, under its name. */
export function Sample({ state, children }: { state: string; children: ReactNode }) {
  return (
    <Stack gap={4} miw={0}>
      <Text size="xs" c="dimmed">
        {state}
      </Text>
      <div>{children}</div>
    </Stack>
  )
}

/** States that are small enough to stand beside each other. */
export function Row({ children }: { children: ReactNode }) {
  return (
    <Group gap="lg" align="flex-start">
      {children}
    </Group>
  )
}
