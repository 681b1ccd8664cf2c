import { ActionIcon, Anchor, Indicator, Popover, Stack, Text, Tooltip } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconStack2 } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { JobProgress, JobStatusBadge } from '../features/jobs/job-parts.tsx'
import { isActive, recentJobsQuery } from '../features/jobs/queries.ts'
import { pages } from '../lib/pages.ts'
import type { Job } from '../lib/types.ts'

/** The person's latest Jobs, wherever they were started; they go on when the page is left. */
export function JobTray() {
  const [isOpen, setIsOpen] = useState(false)
  const jobs = useQuery(recentJobsQuery).data?.items ?? []
  const active = jobs.filter(isActive).length
  const label = active === 0 ? 'Jobs' : `Jobs, ${active} running`
  return (
    <Popover opened={isOpen} onChange={setIsOpen} position="bottom-end" width={320} trapFocus withinPortal>
      <Popover.Target>
        <Tooltip label={label} disabled={isOpen}>
          <Indicator label={active} size={16} disabled={active === 0} offset={4}>
            <ActionIcon variant="subtle" color="gray" aria-label={label} onClick={() => setIsOpen(!isOpen)}>
              <IconStack2 size={18} />
            </ActionIcon>
          </Indicator>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown aria-label="Recent Jobs">
        <TrayList jobs={jobs.slice(0, 5)} onLeave={() => setIsOpen(false)} />
      </Popover.Dropdown>
    </Popover>
  )
}

function TrayList({ jobs, onLeave }: { jobs: Job[]; onLeave: () => void }) {
  return (
    <Stack gap="sm">
      {jobs.length === 0 && (
        <Text size="sm" c="dimmed">
          No Jobs yet. Zip exports and other long work appear here.
        </Text>
      )}
      {jobs.map((job) => (
        <Stack key={job.id} gap={4}>
          <Anchor component={Link} to={pages.job(job.id)} size="sm" lineClamp={1} onClick={onLeave}>
            {job.title}
          </Anchor>
          {isActive(job) ? <JobProgress job={job} /> : <JobStatusBadge status={job.status} />}
        </Stack>
      ))}
      <Anchor component={Link} to="/jobs" size="sm" onClick={onLeave}>
        All Jobs
      </Anchor>
    </Stack>
  )
}
