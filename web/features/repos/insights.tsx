import { Group, NativeSelect, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Repo, RepoAddress } from '../../lib/types.ts'
import { DayBars } from '../../ui/day-bars.tsx'
import { CountNumber, Size } from '../../ui/facts.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Section } from '../../ui/section.tsx'
import { statsQuery } from './queries.ts'

const spans = [
  { value: '30', label: 'Last 30 days' },
  { value: '90', label: 'Last 90 days' },
  { value: '365', label: 'Last year' },
]

interface InsightProps {
  repo: Repo
  address: RepoAddress
}

/** How often a Repo is downloaded. */
export function Downloads({ address }: InsightProps) {
  const [days, setDays] = useState(30)
  const query = useQuery(statsQuery(address, days))
  return (
    <Section
      title="Downloads"
      note="Fetches of the files it is loaded by, each person once in five minutes. Days are UTC."
    >
      <NativeSelect
        aria-label="Span"
        size="xs"
        w="fit-content"
        data={spans}
        value={String(days)}
        onChange={(event) => setDays(Number(event.currentTarget.value))}
      />
      <Loaded query={query}>
        {(stats) => (
          <Stack gap="sm">
            <DayBars
              what="downloads"
              days={stats.days.map(({ date, downloads }) => ({ date, value: downloads }))}
            />
            <Group gap="xl">
              <Figure what="30 days">
                <CountNumber value={stats.downloads_30d} />
              </Figure>
              <Figure what="All time">
                <CountNumber value={stats.downloads_total} />
              </Figure>
              <Figure what="Given out in this span">
                <Size bytes={stats.days.reduce((sum, { bytes }) => sum + bytes, 0)} />
              </Figure>
            </Group>
          </Stack>
        )}
      </Loaded>
    </Section>
  )
}

/** What a Repo holds, and what is known of its safety. */
export function Contents({ repo }: InsightProps) {
  return (
    <Section title="Contents">
      <Group gap="xl">
        <Figure what="At the head">
          <Size bytes={repo.size_bytes} />
        </Figure>
        <Figure what="Files">
          <CountNumber value={repo.file_count} />
        </Figure>
        <Figure what="Large files of all revisions">
          <Size bytes={repo.lfs_bytes} />
        </Figure>
        <Figure what="Security scan">not yet</Figure>
      </Group>
    </Section>
  )
}

function Figure({ what, children }: { what: string; children: React.ReactNode }) {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {what}
      </Text>
      <Text component="div" fw={600}>
        {children}
      </Text>
    </div>
  )
}
