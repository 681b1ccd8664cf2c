import { Paper, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

interface SectionProps {
  title: string
  note?: string
  danger?: boolean
  children: ReactNode
}

/** One subject of a settings page. */
export function Section({ title, note, danger = false, children }: SectionProps) {
  return (
    <Paper
      withBorder
      p="md"
      component="section"
      aria-label={title}
      {...(danger ? { style: { borderColor: 'var(--mantine-color-danger-5)' } } : {})}
    >
      <Stack gap="sm">
        <div>
          <Title order={2}>{title}</Title>
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
