import { Anchor, Popover, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { Link } from 'react-router'
import { JobStatusBadge } from '../features/jobs/job-parts.tsx'
import { JobProgress } from '../ui/job-progress.tsx'
import { isActive, recentJobsQuery } from '../features/jobs/queries.ts'
import { pages } from '../lib/pages.ts'

const shown = 5

/** The person's latest jobs, wherever they were started; they go on when the page is left. */
export default function JobTray({ button, onClose }: { button: ReactElement; onClose: () => void }) {
  const jobs = useQuery(recentJobsQuery).data?.items ?? []
  return (
    <Popover opened onChange={onClose} position="bottom-end" width={320} trapFocus returnFocus withinPortal>
      <Popover.Target>{button}</Popover.Target>
      <Popover.Dropdown aria-label="Recent jobs">
        <Stack gap="sm">
          {jobs.length === 0 && (
            <Text size="sm" c="dimmed">
              No jobs yet. Zip exports and other long work appear here.
            </Text>
          )}
          {jobs.slice(0, shown).map((job) => (
            <Stack key={job.id} gap={4}>
              <Anchor component={Link} to={pages.job(job.id)} size="sm" lineClamp={1} onClick={onClose}>
                {job.title}
              </Anchor>
              {isActive(job) ? <JobProgress job={job} /> : <JobStatusBadge status={job.status} />}
            </Stack>
          ))}
          <Anchor component={Link} to="/jobs" size="sm" onClick={onClose}>
            All jobs
          </Anchor>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
