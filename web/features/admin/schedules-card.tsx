import { Anchor, Button, Skeleton, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { pages } from '../../lib/pages.ts'
import { TimeAgo } from '../../ui/facts.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { RowTable } from '../../ui/row-table.tsx'
import { Section } from '../../ui/section.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { schedulesQuery, useRunSchedule, type ScheduledTask } from './queries.ts'

/** Tasks that recur, each of which one press runs now. */
export function SchedulesCard() {
  const query = useQuery(schedulesQuery)
  const run = useRunSchedule()
  return (
    <Section title="Scheduled tasks" note="A run that has not ended is shown in place of a second one.">
      {run.error && (
        <ErrorState error={run.error} onRetry={() => run.variables && run.mutate(run.variables)} />
      )}
      <Text size="sm" role="status">
        {run.data && (
          <>
            {run.data.title} is {run.data.status}:{' '}
            <Anchor component={Link} to={pages.job(run.data.id)} inherit underline="always">
              follow the job
            </Anchor>
            .
          </>
        )}
      </Text>
      <Loaded
        query={query}
        skeleton={<Skeleton height={280} role="status" aria-label="Loading" aria-busy="true" />}
      >
        {({ items }) => (
          <RowTable columns={['Task', ['Schedule', 140], ['Next', 140], ['Newest run', 180]]} hasActions>
            {items.map((task) => (
              <TaskRow
                key={task.kind}
                task={task}
                isPending={run.isPending && run.variables === task.kind}
                onRun={() => run.mutate(task.kind)}
              />
            ))}
          </RowTable>
        )}
      </Loaded>
    </Section>
  )
}

interface TaskRowProps {
  task: ScheduledTask
  isPending: boolean
  onRun: () => void
}

function TaskRow({ task: { kind, title, cron, next_at, newest }, isPending, onRun }: TaskRowProps) {
  return (
    <Table.Tr>
      <Table.Td>
        {title}{' '}
        <Text span size="xs" c="dimmed" ff="monospace">
          {kind}
        </Text>
      </Table.Td>
      <Table.Td data-label="Schedule">
        {cron === '' ? (
          'off'
        ) : (
          <Text span size="sm" ff="monospace">
            {cron}
          </Text>
        )}
      </Table.Td>
      <Table.Td data-label="Next">{next_at ? <TimeAgo time={next_at} /> : '–'}</Table.Td>
      <Table.Td data-label="Newest run">
        {newest ? (
          <Anchor component={Link} to={pages.job(newest.job_id)} inherit underline="always">
            {newest.status}, <TimeAgo time={newest.created_at} />
          </Anchor>
        ) : (
          '–'
        )}
      </Table.Td>
      <Table.Td>
        <Button
          size="xs"
          variant="default"
          loading={isPending}
          onClick={onRun}
          aria-label={`Run now: ${title}`}
        >
          Run now
        </Button>
      </Table.Td>
    </Table.Tr>
  )
}
