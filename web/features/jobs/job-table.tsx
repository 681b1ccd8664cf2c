import { Anchor, Table, Text } from '@mantine/core'
import { Link } from 'react-router'
import { pages } from '../../lib/pages.ts'
import type { Job } from '../../lib/types.ts'
import { TimeAgo } from '../../ui/facts.tsx'
import { RowTable } from '../../ui/row-table.tsx'
import { JobStatusBadge, RetryJob } from './job-parts.tsx'
import { JobProgress } from '../../ui/job-progress.tsx'

/** Jobs one below the other: what, how it stands, how far it is. */
export function JobTable({ jobs }: { jobs: Job[] }) {
  const hasFailed = jobs.some(({ status }) => status === 'failed')
  return (
    <RowTable columns={['Job', ['Status', 110], ['Progress', 260], ['Created', 140]]} hasActions={hasFailed}>
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
          <Table.Td data-label="Created">
            <TimeAgo time={job.created_at} />
          </Table.Td>
          {hasFailed && (
            <Table.Td>
              {job.status === 'failed' && (
                <RetryJob job={job} size="xs" variant="default" label={`Retry ${job.title}`} />
              )}
            </Table.Td>
          )}
        </Table.Tr>
      ))}
    </RowTable>
  )
}
