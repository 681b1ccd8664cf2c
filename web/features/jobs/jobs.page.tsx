import { Anchor, Group, SegmentedControl, Select, Table, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'
import { jobStatuses, type JobStatus } from '../../../shared/vocabulary.ts'
import { pages } from '../../lib/pages.ts'
import { useMe } from '../../lib/session.ts'
import type { Job } from '../../lib/types.ts'
import { TimeAgo } from '../../ui/facts.tsx'
import { Paged } from '../../ui/loaded.tsx'
import { PageFrame } from '../../ui/page.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { JobProgress, JobStatusBadge } from './job-parts.tsx'
import { jobsQuery } from './queries.ts'

/** `/jobs`: background work, newest first. */
export function Component() {
  const me = useMe()
  const [search, setSearch] = useSearchParams()
  const status = jobStatuses.find((value) => value === search.get('status'))
  const mine = search.get('all') === null
  const query = useInfiniteQuery(jobsQuery({ mine, ...(status ? { status } : {}) }))
  const set = (key: string, value: string | null) =>
    setSearch((now) => {
      const next = new URLSearchParams(now)
      if (value === null) next.delete(key)
      else next.set(key, value)
      return next
    })
  return (
    <PageFrame title="Jobs">
      <Group mb="md" gap="sm">
        <Select
          aria-label="Status"
          placeholder="Any status"
          clearable
          clearButtonProps={{ 'aria-label': 'Any status' }}
          size="xs"
          data={[...jobStatuses]}
          value={status ?? null}
          onChange={(value) => set('status', value as JobStatus | null)}
        />
        {me?.is_admin && (
          <SegmentedControl
            aria-label="Whose Jobs"
            size="xs"
            data={['Mine', 'All']}
            value={mine ? 'Mine' : 'All'}
            onChange={(value) => set('all', value === 'All' ? '' : null)}
          />
        )}
      </Group>
      <Paged query={query} empty={<NoJobs />}>
        {(jobs) => <JobTable jobs={jobs} />}
      </Paged>
    </PageFrame>
  )
}

function NoJobs() {
  return (
    <EmptyState title="No Jobs here">
      Zip exports and other long work appear here while they run and after.
    </EmptyState>
  )
}

function JobTable({ jobs }: { jobs: Job[] }) {
  return (
    <Table.ScrollContainer minWidth={560} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Job</Table.Th>
            <Table.Th w={110}>Status</Table.Th>
            <Table.Th w={260}>Progress</Table.Th>
            <Table.Th w={140}>Created</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {jobs.map((job) => (
            <Table.Tr key={job.id}>
              <Table.Td>
                <Anchor component={Link} to={pages.job(job.id)} size="sm">
                  {job.title}
                </Anchor>
                <Text size="xs" c="dimmed" ff="monospace">
                  {job.kind}
                </Text>
              </Table.Td>
              <Table.Td>
                <JobStatusBadge status={job.status} />
              </Table.Td>
              <Table.Td>
                <JobProgress job={job} />
              </Table.Td>
              <Table.Td>
                <TimeAgo time={job.created_at} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
