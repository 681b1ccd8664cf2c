import { Badge, Button, Code, Group, Select, Table, Text, TextInput, Title } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useQueryState } from '../../lib/query-state.ts'
import { TimeAgo } from '../../ui/facts.tsx'
import { Paged } from '../../ui/loaded.tsx'
import { FramedRows } from '../../ui/framed-rows.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { useChainCheck } from './audit-chain.tsx'
import { useStream } from './audit-stream/use-stream.tsx'
import { auditQuery, type AuditEvent, type AuditFilter } from './queries.ts'

const words = [
  ['actor', 'By', 'Username'],
  ['action', 'Action', 'login.fail or org.'],
  ['target', 'Target', 'Name or id'],
] as const

/** Days, each with the time of day that it stands for: both are part of what is shown. */
const days = [
  ['from', 'From', '00:00:00.000'],
  ['to', 'To', '23:59:59.999'],
] as const

function filterOf(search: URLSearchParams): AuditFilter {
  const outcome = search.get('outcome')
  const filter: AuditFilter = outcome === 'ok' || outcome === 'refused' ? { outcome } : {}
  for (const [name] of words) {
    const value = search.get(name)
    if (value) filter[name] = value
  }
  for (const [name, , clock] of days) {
    // Without an offset it is a time of the browser's own zone.
    const time = new Date(`${search.get(name) ?? ''}T${clock}`)
    if (!Number.isNaN(time.getTime())) filter[name] = time.toISOString()
  }
  return filter
}

/** `/admin/audit`: who did what. */
export function Component() {
  const [search, set] = useQueryState()
  const chain = useChainCheck()
  const stream = useStream()
  const [text] = useDebouncedValue(search.toString(), 300)
  const filter = filterOf(new URLSearchParams(text))
  const query = useInfiniteQuery({ ...auditQuery(filter), placeholderData: keepPreviousData })
  const lines = `/api/service/v1/admin/audit/export?${new URLSearchParams(filter as Record<string, string>).toString()}`
  return (
    <>
      <Group justify="space-between" mb="xs" gap="sm">
        <Title order={1}>Audit log</Title>
        <Group gap="sm">
          <Button component="a" href={lines} variant="default" download>
            Export as JSON lines
          </Button>
          {chain.button}
          {stream.button}
        </Group>
      </Group>
      {stream.line}
      {chain.result}
      <Group gap="sm" mb="md" align="flex-end">
        {words.map(([name, label, placeholder]) => (
          <TextInput
            key={name}
            label={label}
            placeholder={placeholder}
            value={search.get(name) ?? ''}
            onChange={(event) => set(name, event.currentTarget.value)}
          />
        ))}
        {days.map(([name, label]) => (
          <TextInput
            key={name}
            type="date"
            label={label}
            value={search.get(name) ?? ''}
            onChange={(event) => set(name, event.currentTarget.value)}
          />
        ))}
        <Select
          label="Outcome"
          placeholder="Any"
          data={['ok', 'refused']}
          clearable
          value={search.get('outcome')}
          onChange={(value) => set('outcome', value ?? '')}
        />
      </Group>
      <Paged query={query} empty={<EmptyState picture="search" title="Nothing matches" />}>
        {(events) => (
          <FramedRows columns={['When', 'By', 'Action', 'Target', 'Change']}>
            {events.map((event) => (
              <EventRow key={event.id} event={event} />
            ))}
          </FramedRows>
        )}
      </Paged>
    </>
  )
}

function EventRow({ event }: { event: AuditEvent }) {
  const { at, actor, auth_kind, ip, action, target, before, after, outcome } = event
  return (
    <Table.Tr>
      <Table.Td style={{ whiteSpace: 'nowrap' }}>
        <TimeAgo time={at} />
      </Table.Td>
      <Table.Td data-label="By">
        {actor ?? auth_kind}
        {ip && (
          <Text size="xs" c="dimmed" ff="monospace">
            {ip}
          </Text>
        )}
      </Table.Td>
      <Table.Td data-label="Action">
        <Group gap="xs">
          <Text span size="sm" ff="monospace">
            {action}
          </Text>
          {outcome === 'refused' && (
            <Badge size="sm" color="danger">
              refused
            </Badge>
          )}
        </Group>
      </Table.Td>
      <Table.Td data-label="Target" style={{ overflowWrap: 'anywhere' }}>
        {target.type} {target.name || target.id}
      </Table.Td>
      <Table.Td data-label="Change" maw={420}>
        {before && <Change label="before" facts={before} />}
        {after && <Change label="after" facts={after} />}
      </Table.Td>
    </Table.Tr>
  )
}

function Change({ label, facts }: { label: string; facts: Record<string, unknown> }) {
  return (
    <Text size="xs" style={{ overflowWrap: 'anywhere' }}>
      {label} <Code fz="xs">{JSON.stringify(facts)}</Code>
    </Text>
  )
}
