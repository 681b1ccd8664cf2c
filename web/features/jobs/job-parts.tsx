import { Badge, Button, type ButtonProps } from '@mantine/core'
import { notifyProblem } from '../../lib/notify.ts'
import type { Job } from '../../lib/types.ts'
import { jobColors } from '../../ui/job-progress.tsx'
import { useRetryJob } from './queries.ts'

export function JobStatusBadge({ status }: { status: Job['status'] }) {
  return (
    <Badge variant="light" color={jobColors[status]} size="sm">
      {status}
    </Badge>
  )
}

interface RetryJobProps extends Pick<ButtonProps, 'size' | 'variant'> {
  job: Job
  /** Which job it retries, where several stand on a page. */
  label?: string
}

/** Queues a job again that failed or was cancelled. */
export function RetryJob({ job, label, ...props }: RetryJobProps) {
  const retry = useRetryJob()
  return (
    <Button
      {...props}
      {...(label === undefined ? {} : { 'aria-label': label })}
      loading={retry.isPending}
      onClick={() => retry.mutate(job.id, { onError: notifyProblem })}
    >
      Retry
    </Button>
  )
}
