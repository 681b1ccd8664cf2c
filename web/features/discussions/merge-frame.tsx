import { Group, Paper, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

interface FrameProps {
  title: string
  color: string
  icon: ReactNode
  children?: ReactNode
}

/** How a pull request stands towards its base, and what can be done about it. */
export function MergeFrame({ title, color, icon, children }: FrameProps) {
  return (
    <Paper
      withBorder
      p="md"
      component="section"
      aria-label="Merging"
      style={{ borderLeft: `3px solid var(--mantine-color-${color}-text)` }}
    >
      <Stack gap="sm">
        <Group gap="xs" wrap="nowrap" align="flex-start" role="status">
          <Text span inherit c={`var(--mantine-color-${color}-text)`} lh={1} mt={1} aria-hidden>
            {icon}
          </Text>
          <Title order={3}>{title}</Title>
        </Group>
        {children}
      </Stack>
    </Paper>
  )
}
