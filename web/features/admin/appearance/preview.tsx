import { Group, Paper, Stack, Text } from '@mantine/core'
import { Suspense } from 'react'
import { Announced } from '../../../ui/announced.tsx'
import { Logo } from '../../../ui/logo.tsx'
import { Section } from '../../../ui/section.tsx'
import { Welcome } from '../../../ui/welcome.tsx'
import type { Words } from './words.ts'

/** How pages look with what the form holds. */
export function Preview({ words: { name, welcome, announcement, kind } }: { words: Words }) {
  return (
    <Section title="Preview" note="What the form holds, saved or not.">
      <Paper withBorder style={{ overflow: 'hidden' }}>
        {announcement.trim() !== '' && <Announced announcement={{ text: announcement, kind }} />}
        <Stack p="md" gap="md">
          <Group gap={8} wrap="nowrap">
            <Logo size={24} />
            <Text fw={650} truncate>
              {name.trim() === '' ? 'Arsenal' : name}
            </Text>
          </Group>
          {welcome.trim() === '' ? (
            <Text size="sm" c="dimmed">
              Visitors read the words of Arsenal on the first page.
            </Text>
          ) : (
            <Suspense>
              <Welcome text={welcome} />
            </Suspense>
          )}
        </Stack>
      </Paper>
    </Section>
  )
}
