import { Button, Code, Group, Skeleton, Stack, Switch, Table, Text, TextInput, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconSearch } from '@tabler/icons-react'
import { useQueryState } from '../../lib/query-state.ts'
import { CommandLine } from '../../ui/command-line.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { TimeAgo } from '../../ui/facts.tsx'
import { FramedRows } from '../../ui/framed-rows.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { configQuery, type Config } from './queries.ts'

type Entry = Config['entries'][number]

/** `/admin/config`: every configuration key with its value and what set it. Secrets stay on the server. */
export function Component() {
  const [search, set, setAll] = useQueryState()
  const query = useQuery(configQuery)
  const q = search.get('q') ?? ''
  const isChangedOnly = search.get('changed') === '1'
  return (
    <div className="in-order">
      <Title order={1}>Configuration</Title>
      <Text size="sm" c="dimmed" mb="md">
        The server reads it when it starts. To change a value, edit the file or the environment, check it, and
        restart:
      </Text>
      <CommandLine command="arsenal config check" />
      <Group my="md" gap="md">
        <TextInput
          size="xs"
          type="search"
          w={{ base: '100%', xs: 320 }}
          aria-label="Filter keys"
          placeholder="Filter by key, value or meaning"
          leftSection={<IconSearch size={14} />}
          value={q}
          onChange={(event) => set('q', event.currentTarget.value)}
        />
        <Switch
          label="Only what is set"
          checked={isChangedOnly}
          onChange={(event) => set('changed', event.currentTarget.checked ? '1' : '')}
        />
        {query.data && (
          <Text size="sm" c="dimmed" ml="auto">
            Read <TimeAgo time={query.data.started_at} />
          </Text>
        )}
      </Group>
      <Loaded
        query={query}
        skeleton={<Skeleton height={480} role="status" aria-label="Loading" aria-busy="true" />}
      >
        {({ entries }) => (
          <Sections
            entries={entries.filter((entry) => matches(entry, q) && (!isChangedOnly || entry.source))}
            onClear={() => setAll({ q: '', changed: '' })}
          />
        )}
      </Loaded>
    </div>
  )
}

const matches = ({ key, value = '', description }: Entry, q: string) =>
  [key, value, description].some((text) => text.toLowerCase().includes(q.trim().toLowerCase()))

const sectionOf = ({ key }: Entry) => /^[^.[]+/.exec(key)?.[0] ?? ''

function Sections({ entries, onClear }: { entries: Entry[]; onClear: () => void }) {
  if (entries.length === 0)
    return (
      <EmptyState
        picture="search"
        title="No key matches"
        action={
          <Button size="xs" variant="default" onClick={onClear}>
            Show all keys
          </Button>
        }
      />
    )
  return (
    <Stack gap="lg">
      {[...new Set(entries.map(sectionOf))].map((section) => (
        <section key={section} aria-labelledby={`config-${section}`}>
          <Title order={2} mb="xs" id={`config-${section}`}>
            {section}
          </Title>
          <FramedRows columns={['Key', ['Value', 300], ['Default', 180], ['Set by', 220]]}>
            {entries
              .filter((entry) => sectionOf(entry) === section)
              .map((entry) => (
                <EntryRow key={entry.key} entry={entry} />
              ))}
          </FramedRows>
        </section>
      ))}
    </Stack>
  )
}

function EntryRow({ entry }: { entry: Entry }) {
  const { key, source, description } = entry
  return (
    <Table.Tr>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        <Group gap={4} wrap="nowrap">
          <Code>{key}</Code>
          <CopyButton text={key} label={`Copy ${key}`} />
        </Group>
        <Text size="sm" c="dimmed">
          <Described text={description} />
        </Text>
      </Table.Td>
      <Table.Td data-label="Value" style={{ overflowWrap: 'anywhere' }}>
        <Text span size="sm" {...(source !== undefined && { fw: 600 })}>
          {valueOf(entry)}
        </Text>
      </Table.Td>
      <Table.Td data-label="Default" style={{ overflowWrap: 'anywhere' }}>
        <Text span size="sm">
          <Described text={entry.default} />
        </Text>
      </Table.Td>
      <Table.Td data-label="Set by" style={{ overflowWrap: 'anywhere' }}>
        <Text span size="sm">
          {source ?? '–'}
        </Text>
      </Table.Td>
    </Table.Tr>
  )
}

/** A text of the reference, whose words of code stand in backticks. */
function Described({ text }: { text: string }) {
  return text.split('`').map((part, i) => (i % 2 === 1 ? <Code key={`${i} ${part}`}>{part}</Code> : part))
}

function valueOf({ value, is_secret, is_set }: Entry): string {
  if (is_secret) return is_set ? 'set (secret)' : 'not set'
  return value === '' || value === undefined ? 'empty' : value
}
