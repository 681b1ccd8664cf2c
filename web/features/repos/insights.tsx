import { Group, NativeSelect, Stack, Text } from '@mantine/core'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import type { Operations } from '../../../shared/client.ts'
import { formatCompact, formatSize, formatUtcDay } from '../../lib/format.ts'
import { statsQuery } from '../../lib/repo-queries.ts'
import type { Repo, RepoAddress } from '../../lib/types.ts'
import { DayBars } from '../../ui/day-bars.tsx'
import { CountNumber, Size } from '../../ui/facts.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Section } from '../../ui/section.tsx'

const spans = [
  { value: '30', label: 'Last 30 days' },
  { value: '90', label: 'Last 90 days' },
  { value: '365', label: 'Last year' },
]

interface InsightProps {
  repo: Repo
  address: RepoAddress
}

/** How often a repo is downloaded, and how large it has been. */
export function OverTime({ address }: InsightProps) {
  const [days, setDays] = useState(30)
  const query = useQuery(statsQuery(address, days))
  return (
    <>
      <Downloads query={query} days={days} onDays={setDays} />
      <Section title="Size" note="The files of the default branch, as of each night. Days are UTC.">
        <Loaded query={query}>{(stats) => <Sizes days={stats.days} />}</Loaded>
      </Section>
    </>
  )
}

type Stats = Operations['getStats']['result']

interface DownloadsProps {
  query: UseQueryResult<Stats>
  days: number
  onDays: (days: number) => void
}

function Downloads({ query, days, onDays }: DownloadsProps) {
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
        onChange={(event) => onDays(Number(event.currentTarget.value))}
      />
      <Loaded query={query}>
        {(stats) => (
          <Stack gap="sm">
            <DayBars
              what="downloads"
              days={stats.days.map(({ date, downloads }) => ({ date, value: downloads }))}
              most={(value) => `at most ${formatCompact(value)} a day`}
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

function Sizes({ days }: Pick<Stats, 'days'>) {
  const known = days.filter(({ size_bytes }) => size_bytes !== undefined)
  const [first] = known
  const before = first && known.length < days.length && (
    <Text size="xs" c="dimmed">
      Recorded since {formatUtcDay(first.date)}.
    </Text>
  )
  return (
    <Stack gap="sm">
      <DayBars
        what="size"
        days={days.map(({ date, size_bytes = 0 }) => ({ date, value: size_bytes }))}
        most={(value) => `at most ${formatSize(value)}`}
        shown={formatSize}
      />
      {before}
    </Stack>
  )
}

/** What a repo holds, and what is known of its safety. */
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
