import { Alert, Anchor, Button, Group, Paper, Stack, Text } from '@mantine/core'
import { Link, useParams } from 'react-router'
import { notifyProblem } from '../../lib/notify.ts'
import { pages } from '../../lib/pages.ts'
import type { Job } from '../../lib/types.ts'
import { FactTable } from '../../ui/fact-table.tsx'
import { Size, TimeAgo } from '../../ui/facts.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { PageFrame } from '../../ui/page.tsx'
import { JobLog } from './job-log.tsx'
import { JobStatusBadge, RetryJob } from './job-parts.tsx'
import { JobProgress } from '../../ui/job-progress.tsx'
import { PulledFiles } from './pulled-files.tsx'
import { isUnfinished, useCancelJob, useJob } from './queries.ts'

/** `/jobs/{id}`: one job while it runs and after. */
export function Component() {
  const { id = '' } = useParams()
  const query = useJob(id)
  return (
    <PageFrame
      title={query.data?.title ?? 'Job'}
      width={880}
      actions={query.data && <Actions job={query.data} />}
    >
      <Loaded query={query}>{(job) => <JobView job={job} />}</Loaded>
    </PageFrame>
  )
}

function Actions({ job }: { job: Job }) {
  const cancel = useCancelJob()
  if (isUnfinished(job))
    return (
      <Button
        variant="default"
        loading={cancel.isPending}
        onClick={() => cancel.mutate(job.id, { onError: notifyProblem })}
      >
        Cancel
      </Button>
    )
  if (job.status === 'succeeded') return null
  return <RetryJob job={job} />
}

/** Kinds of jobs that bring files from another hub. */
const pulling = new Set(['pull', 'mirror.sync'])

function JobView({ job }: { job: Job }) {
  return (
    <Stack gap="md">
      <Group gap="sm" aria-live="polite">
        <JobStatusBadge status={job.status} />
        <Text size="sm" ff="monospace">
          {job.kind}
        </Text>
        {job.repo && (
          <Anchor component={Link} to={pages.repo(job.repo)} size="sm" ff="monospace">
            {job.repo.ns}/{job.repo.name}
          </Anchor>
        )}
      </Group>
      <JobProgress job={job} />
      {job.problem && (
        <Alert color="danger" title={job.problem.code}>
          {job.problem.message}
        </Alert>
      )}
      {pulling.has(job.kind) && <PulledFiles job={job} isRunning={isUnfinished(job)} />}
      <JobResult job={job} />
      <Facts job={job} />
      <JobLog job={job} />
    </Stack>
  )
}

function JobResult({ job }: { job: Job }) {
  const { url, size } = job.result ?? {}
  if (typeof url !== 'string') return null
  return (
    <Group>
      <Button component="a" href={url} download>
        Download
      </Button>
      {typeof size === 'number' && <Size bytes={size} />}
    </Group>
  )
}

function Facts({ job }: { job: Job }) {
  const rows: [string, React.ReactNode][] = [
    ['Created', <TimeAgo key="c" time={job.created_at} />],
    ['Started', job.started_at ? <TimeAgo key="s" time={job.started_at} /> : '–'],
    ['Finished', job.finished_at ? <TimeAgo key="f" time={job.finished_at} /> : '–'],
    ['Attempts', `${job.attempts} of ${job.max_attempts}`],
    ['By', job.created_by ?? 'the server'],
  ]
  return (
    <Paper withBorder p="md">
      <FactTable rows={rows} />
    </Paper>
  )
}
