import { Group, Progress, Stack, Text } from '@mantine/core'
import { formatCompact, formatDuration, formatSize } from '../lib/format.ts'
import type { Job } from '../lib/types.ts'

/** The colour of each status of a job. */
export const jobColors: Record<Job['status'], string> = {
  queued: 'pending',
  running: 'accent',
  succeeded: 'safe',
  failed: 'danger',
  cancelled: 'gray',
}

/** How far a job is: bar, amount, rate and time left, as far as they are known. */
export function JobProgress({ job }: { job: Job }) {
  const { done, total, unit, rate, eta_seconds: etaSeconds } = job.progress
  const amount = (value: number) => (unit === 'bytes' ? formatSize(value) : `${formatCompact(value)} ${unit}`)
  const isRunning = job.status === 'running'
  const percent =
    job.status === 'succeeded' ? 100 : total ? Math.min(100, (done / total) * 100) : isRunning ? 100 : 0
  return (
    <Stack gap={4}>
      <Progress
        value={percent}
        color={jobColors[job.status]}
        animated={isRunning}
        striped={isRunning && !total}
        aria-label={`Progress of ${job.title}`}
      />
      <Group justify="space-between" gap="xs">
        <Text size="xs" c="dimmed">
          {total ? `${amount(done)} of ${amount(total)}` : amount(done)}
        </Text>
        {isRunning && (
          <Text size="xs" c="dimmed">
            {[rate && `${amount(rate)}/s`, etaSeconds !== undefined && `${formatDuration(etaSeconds)} left`]
              .filter(Boolean)
              .join(' · ')}
          </Text>
        )}
      </Group>
    </Stack>
  )
}
