import { Anchor, Button, Skeleton, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { formatExact } from '../../lib/format.ts'
import { pages } from '../../lib/pages.ts'
import { TimeAgo } from '../../ui/facts.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { RowTable } from '../../ui/row-table.tsx'
import { Section } from '../../ui/section.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { queueQuery, useRetryFailedJobs, type Queue } from './queries.ts'

type FailedKind = Queue['failed'][number]

/** Failed jobs by kind, which one press queues again. */
export function FailuresCard() {
  const query = useQuery(queueQuery)
  const retry = useRetryFailedJobs()
  return (
    <Section title="Failures" note="Jobs that failed and were not retried. They are kept for 30 days.">
      {retry.error && (
        <ErrorState error={retry.error} onRetry={() => retry.variables && retry.mutate(retry.variables)} />
      )}
      <Text size="sm" role="status">
        {retry.data ? outcomeOf(retry.data) : ''}
      </Text>
      <Loaded
        query={query}
        skeleton={<Skeleton height={60} role="status" aria-label="Loading" aria-busy="true" />}
      >
        {({ failed }) =>
          failed.length === 0 ? (
            <Text size="sm" c="dimmed">
              No job has failed.
            </Text>
          ) : (
            <RowTable columns={['Kind', ['Failed', 90], 'The newest', ['When', 140]]} hasActions>
              {failed.map((kind) => (
                <KindRow
                  key={kind.kind}
                  failed={kind}
                  isPending={retry.isPending && retry.variables?.kind === kind.kind}
                  onRetry={() => retry.mutate({ kind: kind.kind })}
                />
              ))}
            </RowTable>
          )
        }
      </Loaded>
    </Section>
  )
}

/** What a press has done, in a sentence or two. */
function outcomeOf({ retried, skipped, left }: NonNullable<ReturnType<typeof useRetryFailedJobs>['data']>) {
  const rest = left - skipped
  return [
    `${retried} queued again.`,
    skipped > 0 && `${skipped} skipped: an equal job is queued, or this server no longer does such jobs.`,
    rest > 0 && `Retry again for the ${rest} that are left.`,
  ]
    .filter(Boolean)
    .join(' ')
}

interface KindRowProps {
  failed: FailedKind
  isPending: boolean
  onRetry: () => void
}

function KindRow({ failed: { kind, count, newest }, isPending, onRetry }: KindRowProps) {
  const label = count === 1 ? 'Retry' : `Retry all ${formatExact(count)}`
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm" ff="monospace">
          {kind}
        </Text>
      </Table.Td>
      <Table.Td data-label="Failed">
        <Anchor
          component={Link}
          to={`/jobs?all=&status=failed&kind=${kind}`}
          size="sm"
          underline="always"
          aria-label={`${formatExact(count)} failed of the kind ${kind}`}
        >
          {formatExact(count)}
        </Anchor>
      </Table.Td>
      <Table.Td data-label="The newest" style={{ overflowWrap: 'anywhere' }}>
        <Anchor component={Link} to={pages.job(newest.id)} size="sm">
          {newest.title}
        </Anchor>
        {newest.problem && (
          <Text size="xs" c="dimmed">
            {newest.problem.message}
          </Text>
        )}
      </Table.Td>
      <Table.Td data-label="When">
        {newest.finished_at ? <TimeAgo time={newest.finished_at} /> : '–'}
      </Table.Td>
      <Table.Td>
        <Button
          size="xs"
          variant="default"
          loading={isPending}
          onClick={onRetry}
          aria-label={`${label} of the kind ${kind}`}
        >
          {label}
        </Button>
      </Table.Td>
    </Table.Tr>
  )
}
