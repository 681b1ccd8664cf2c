import { Alert, Anchor, Button, Group, NativeSelect, Skeleton, Stack, Text, Textarea } from '@mantine/core'
import { IconAlertTriangle, IconDownload, IconPlayerPlay } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router'
import { problemText } from '../../lib/form-errors.ts'
import { formatExact, formatRows } from '../../lib/format.ts'
import { pages, segmentsBelowRepo } from '../../lib/pages.ts'
import { useRepo } from '../../lib/repo-context.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { EmptyState, PageSkeleton } from '../../ui/states.tsx'
import { saveFile, type FileFormat } from './download.ts'
import { configsQuery, sqlQuery, type Config, type DatasetConfigs, type SqlAnswer } from './queries.ts'
import { SqlTable } from './sql-table.tsx'
import { resultText } from './sql-text.ts'

interface ConsoleProps {
  pageOf: (config: string) => string
}

/** SQL over the splits of a config; the address holds the statement that is shown. */
export function SqlConsole({ pageOf }: ConsoleProps) {
  const { address } = useRepo()
  const query = useQuery(configsQuery(address))
  return (
    <Loaded query={query} skeleton={<PageSkeleton />}>
      {(configs) => <Picked configs={configs} pageOf={pageOf} />}
    </Loaded>
  )
}

const isReady = ({ splits }: Config) => splits.some(({ rows }) => rows !== undefined)

function Picked({ configs, pageOf }: ConsoleProps & { configs: DatasetConfigs }) {
  const { repo } = useRepo()
  const [, name] = segmentsBelowRepo(useLocation().pathname)
  const ready = configs.configs.filter(isReady)
  const config = name === undefined ? ready[0] : ready.find((one) => one.name === name)
  if (!config)
    return (
      <EmptyState
        picture="table"
        title="There is nothing to query yet"
        action={
          <Anchor component={Link} to={pages.viewer(repo)} underline="always">
            Show the viewer
          </Anchor>
        }
      >
        SQL needs the Parquet export of the dataset. The viewer shows how far it is.
      </EmptyState>
    )
  const version = configs.converted_commit ?? configs.commit
  return <Console key={config.name} {...{ config, pageOf, version }} ready={ready} />
}

const quoted = (name: string) => (/^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`)

function Console(props: ConsoleProps & { config: Config; ready: Config[]; version: string }) {
  const { config, ready, version, pageOf } = props
  const { address, repo } = useRepo()
  const navigate = useNavigate()
  const [params, setParams] = useSearchParams()
  const asked = params.get('query') ?? ''
  const tables = config.splits.filter(({ rows }) => rows !== undefined).map(({ name }) => quoted(name))
  const [text, setText] = useState(asked || `SELECT * FROM ${tables[0] ?? 'train'} LIMIT 100`)
  const result = useQuery({
    ...sqlQuery({ address, config: config.name, version }, asked),
    enabled: asked !== '',
  })
  const run = () => {
    if (text.trim() === '') return
    if (text.trim() === asked) void result.refetch()
    else setParams({ query: text.trim() })
  }
  return (
    <Stack gap="sm">
      <Group gap="xs">
        {ready.length > 1 && (
          <NativeSelect
            size="xs"
            aria-label="Config"
            value={config.name}
            data={ready.map(({ name }) => name)}
            onChange={({ currentTarget }) => void navigate(pageOf(currentTarget.value))}
          />
        )}
        <Text size="sm" c="dimmed">
          {tables.length === 1 ? 'Table: ' : 'Tables: '}
          {tables.map((table, i) => (
            <span key={table}>
              {i > 0 && ', '}
              <code>{table}</code>
            </span>
          ))}
        </Text>
        <Anchor component={Link} to={pages.viewer(repo, config.name)} size="sm" ml="auto">
          Viewer
        </Anchor>
      </Group>
      <Textarea
        aria-label="SQL statement"
        description="One SELECT in the SQL of DuckDB. Ctrl+Enter runs it."
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        autosize
        minRows={4}
        maxRows={16}
        maxLength={8000}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
          event.preventDefault()
          run()
        }}
      />
      <Group gap="xs">
        <Button
          size="xs"
          leftSection={<IconPlayerPlay size={14} />}
          loading={result.isFetching}
          disabled={text.trim() === ''}
          onClick={run}
        >
          Run
        </Button>
        {result.data && <Downloads answer={result.data} name={`${repo.name}-${config.name}`} />}
      </Group>
      {result.isError && !result.isFetching && (
        <Alert color="danger" icon={<IconAlertTriangle size={18} />} title="The query was not run">
          <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {problemText(result.error)}
          </Text>
        </Alert>
      )}
      {result.isFetching && !result.data && <Skeleton height={160} aria-label="The query runs" />}
      {result.data && !result.isError && <Result answer={result.data} />}
    </Stack>
  )
}

function Downloads({ answer, name }: { answer: SqlAnswer; name: string }) {
  const save = (format: FileFormat) => saveFile(name, format, resultText(format, answer))
  if (answer.rows.length === 0) return null
  return (['csv', 'jsonl'] as const).map((format) => (
    <Button
      key={format}
      size="xs"
      variant="default"
      leftSection={<IconDownload size={14} />}
      onClick={() => save(format)}
    >
      {format.toUpperCase()}
    </Button>
  ))
}

function Result({ answer }: { answer: SqlAnswer }) {
  const { rows, truncated, partial } = answer
  const count = formatRows(rows.length, formatExact)
  return (
    <Stack gap="xs">
      <Text size="sm" role="status">
        {truncated ? `The first ${count}. Add a LIMIT or narrow the query to have all.` : count}
        {partial && ' The query saw the first part of the data: a split is too large to be queried whole.'}
      </Text>
      {rows.length > 0 && <SqlTable answer={answer} />}
    </Stack>
  )
}
