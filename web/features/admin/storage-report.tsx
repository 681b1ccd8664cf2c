import { Button, Group, NativeSelect, Skeleton, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatSize } from '../../lib/format.ts'
import { DayBars } from '../../ui/day-bars.tsx'
import { Size, TimeAgo } from '../../ui/facts.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Section } from '../../ui/section.tsx'
import { ErrorState } from '../../ui/states.tsx'
import classes from './admin.module.css'
import { LargestNamespaces, LargestRepos } from './largest-cards.tsx'
import { storageQuery, useStartStorageCount, type Overview, type StorageReport } from './queries.ts'

type Day = StorageReport['days'][number]
type Disk = Overview['storage']['disk']

const spans = [
  { value: '30', label: 'Last 30 days' },
  { value: '90', label: 'Last 90 days' },
  { value: '365', label: 'Last year' },
]

const kinds = [
  ['LFS objects', 'lfs_bytes'],
  ['Git packs', 'git_bytes'],
  ['Chunk containers', 'chunk_bytes'],
  ['Uploads under way', 'upload_bytes'],
  ['Saved by sharing', 'saved_bytes'],
] as const

/** How long a count is waited for before the page stops asking. */
const PATIENCE_MS = 120_000
const ASK_MS = 2000

/** What is stored of each kind day by day, and who stores the most. */
export function StorageReportCards({ disk }: { disk: Disk }) {
  const [days, setDays] = useState(90)
  const count = useStartStorageCount()
  const isAwaited = (report: StorageReport | undefined, updatedAt: number) =>
    count.data !== undefined &&
    (report?.counted_at ?? '') < count.data.created_at &&
    updatedAt - count.submittedAt < PATIENCE_MS
  const query = useQuery({
    ...storageQuery(days),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (isAwaited(state.data, state.dataUpdatedAt) ? ASK_MS : false),
  })
  const countedAt = query.data?.counted_at
  return (
    <>
      <div className={classes['wide']}>
        <Section
          title="Over time"
          note="Counted every hour; the last count of a day stands for it. Days are UTC."
          aside={
            <Group gap="sm">
              {countedAt !== undefined && (
                <Text size="sm" c="dimmed" component="span">
                  Counted <TimeAgo time={countedAt} />
                </Text>
              )}
              <Button
                size="xs"
                variant="default"
                loading={count.isPending || isAwaited(query.data, query.dataUpdatedAt)}
                onClick={() => count.mutate()}
              >
                Count now
              </Button>
            </Group>
          }
        >
          {count.error && <ErrorState error={count.error} onRetry={() => count.mutate()} />}
          <NativeSelect
            aria-label="Span"
            size="xs"
            w="fit-content"
            data={spans}
            value={String(days)}
            onChange={(event) => setDays(Number(event.currentTarget.value))}
          />
          <Loaded
            query={query}
            skeleton={<Skeleton height={150} role="status" aria-label="Loading" aria-busy="true" />}
          >
            {(report) => <Trends days={report.days} disk={disk} />}
          </Loaded>
        </Section>
      </div>
      <LargestRepos report={query.data} />
      <LargestNamespaces report={query.data} />
    </>
  )
}

function Trends({ days, disk }: { days: Day[]; disk: Disk }) {
  const [first, last] = [days[0], days.at(-1)]
  if (!first || !last)
    return (
      <Text size="sm" c="dimmed">
        Nothing has been counted yet. Press “Count now”, or wait for the next hour.
      </Text>
    )
  return (
    <>
      <div className={classes['trends']}>
        {kinds.map(([what, key]) => (
          <div key={key}>
            <Group justify="space-between" gap="xs" mb={4}>
              <Text size="sm">{what}</Text>
              <Text size="sm" component="span">
                <Size bytes={last[key]} /> <Growth bytes={last[key] - first[key]} />
              </Text>
            </Group>
            <DayBars
              what={what}
              days={days.map((day) => ({ date: day.date, value: day[key] }))}
              most={(value) => `at most ${formatSize(value)}`}
              shown={formatSize}
              height={48}
            />
          </div>
        ))}
      </div>
      {disk && <DiskLasts days={days} freeBytes={disk.free_bytes} />}
    </>
  )
}

/** How much more or less there is than on the first day shown. */
function Growth({ bytes }: { bytes: number }) {
  if (bytes === 0) return null
  return (
    <Text span inherit c="dimmed">
      {bytes > 0 ? '+' : '−'}
      {formatSize(Math.abs(bytes))}
    </Text>
  )
}

const storedOf = (day: Day) => day.lfs_bytes + day.git_bytes + day.chunk_bytes + day.upload_bytes

/** Fewer days say nothing of a rate. */
const LEAST_DAYS = 7

function DiskLasts({ days, freeBytes }: { days: Day[]; freeBytes: number }) {
  const [first, last] = [days[0], days.at(-1)]
  if (!first || !last || days.length < LEAST_DAYS) return null
  const perDay = (storedOf(last) - storedOf(first)) / (days.length - 1)
  if (perDay <= 0) return null
  const left = Math.floor(freeBytes / perDay)
  if (left > 3650) return null
  return (
    <Text size="sm">
      At the rate of these {days.length} days, <Size bytes={Math.round(perDay)} /> a day, the disk is full in
      about {left} days.
    </Text>
  )
}
