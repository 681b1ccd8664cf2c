import { Badge } from '@mantine/core'
import type { Job } from '../../lib/types.ts'
import { jobColors } from '../../ui/job-progress.tsx'

export function JobStatusBadge({ status }: { status: Job['status'] }) {
  return (
    <Badge variant="light" color={jobColors[status]} size="sm">
      {status}
    </Badge>
  )
}
