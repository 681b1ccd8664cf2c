import { Group, Paper, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

interface SectionProps {
  title: string
  /** What tells it from others of the same title. */
  label?: string
  note?: string
  /** What stands beside the title. */
  aside?: ReactNode
  danger?: boolean
  children: ReactNode
}

/** One subject of a page, in a frame of its own. */
export function Section({ title, label = title, note, aside, danger = false, children }: SectionProps) {
  return (
    <Paper
      withBorder
      p="md"
      component="section"
      aria-label={label}
      {...(danger ? { style: { borderColor: 'var(--mantine-color-danger-5)' } } : {})}
    >
      <Stack gap="sm">
        <div>
          <Group justify="space-between" gap="xs" mb={aside ? 4 : 0}>
            <Title order={2}>{title}</Title>
            {aside}
          </Group>
          {note && (
            <Text size="sm" c="dimmed">
              {note}
            </Text>
          )}
        </div>
        {children}
      </Stack>
    </Paper>
  )
}
