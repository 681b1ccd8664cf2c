import { Button, Group, Skeleton, Table, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconRefresh } from '@tabler/icons-react'
import { CommandLine } from '../../ui/command-line.tsx'
import { TimeAgo } from '../../ui/facts.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { RowTable } from '../../ui/row-table.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { healthQuery, type Health } from './queries.ts'

type Finding = Health['findings'][number]

/** `/admin/health`: what the checks of `arsenal doctor` find, worst first. */
export function Component() {
  const query = useQuery(healthQuery)
  return (
    <>
      <Group justify="space-between" mb="md" gap="sm">
        <Title order={1}>Health</Title>
        <Group gap="sm">
          {query.data && (
            <Text size="sm" c="dimmed" component="span">
              Checked <TimeAgo time={query.data.at} />
            </Text>
          )}
          <Button
            size="xs"
            variant="default"
            leftSection={<IconRefresh size={14} />}
            loading={query.isFetching}
            onClick={() => void query.refetch()}
          >
            Check again
          </Button>
        </Group>
      </Group>
      {query.isRefetchError && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      <Loaded
        query={query}
        skeleton={<Skeleton height={320} role="status" aria-label="Loading" aria-busy="true" />}
      >
        {(health) => <Findings findings={health.findings} />}
      </Loaded>
      <Text size="sm" mt="lg" mb="xs">
        The same from a shell, also while no server runs:
      </Text>
      <CommandLine command="arsenal doctor" />
    </>
  )
}

const order = ['fail', 'warn', 'ok'] as const

function Findings({ findings }: { findings: Finding[] }) {
  const failed = findings.filter(({ status }) => status === 'fail').length
  const warned = findings.filter(({ status }) => status === 'warn').length
  return (
    <>
      <Text mb="md" fw={600} role="status">
        {failed + warned === 0 ? 'Everything works.' : `${failed} failed, ${warned} to look at.`}
      </Text>
      <RowTable columns={[['Result', 120], ['Check', 160], 'Finding', 'What to do']}>
        {order.flatMap((status) =>
          findings
            .filter((finding) => finding.status === status)
            .map((finding) => <FindingRow key={`${finding.check} ${finding.text}`} finding={finding} />),
        )}
      </RowTable>
    </>
  )
}

const results = {
  ok: { label: 'ok', icon: IconCircleCheck, color: 'var(--mantine-color-dimmed)' },
  warn: { label: 'look at it', icon: IconAlertTriangle, color: 'var(--mantine-color-caution-light-color)' },
  fail: { label: 'failed', icon: IconCircleX, color: 'var(--mantine-color-error)' },
}

function FindingRow({ finding: { check, status, text, fix } }: { finding: Finding }) {
  const { label, icon: Icon, color } = results[status]
  return (
    <Table.Tr>
      <Table.Td>
        <Group gap={6} wrap="nowrap" style={{ color }}>
          <Icon size={16} aria-hidden />
          <Text size="sm" component="span" c={status === 'ok' ? 'dimmed' : 'inherit'} fw={600}>
            {label}
          </Text>
        </Group>
      </Table.Td>
      <Table.Td data-label="Check">{check}</Table.Td>
      <Table.Td data-label="Finding" style={{ overflowWrap: 'anywhere' }}>
        {text}
      </Table.Td>
      <Table.Td data-label="What to do" style={{ overflowWrap: 'anywhere' }}>
        {fix ?? '–'}
      </Table.Td>
    </Table.Tr>
  )
}
