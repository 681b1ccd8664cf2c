import { Button, Group, List, Progress, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useDeferredValue, useEffect, useMemo, useState } from 'react'
import { formatExact, formatShare } from '../../../lib/format.ts'
import { useRepo } from '../../../lib/repo-context.ts'
import { CodeView } from '../../../ui/code/code-view.tsx'
import { CountNumber, Size } from '../../../ui/facts.tsx'
import { Mark } from '../../../ui/mark.tsx'
import { Section } from '../../../ui/section.tsx'
import { ErrorState, ListSkeleton } from '../../../ui/states.tsx'
import { HeaderKeys } from './header-keys.tsx'
import frame from '../../../ui/ui.module.css'
import { headerQuery, type FileHeader } from './queries.ts'
import { matching } from './tensor-tree.ts'
import { TensorRows } from './tensor-rows.tsx'

/** What a safetensors or GGUF file holds, read from its header alone: tensors, keys, chat template. */
export function HeaderExplorer({ rev, path }: { rev: string; path: string }) {
  const { address } = useRepo()
  const query = useInfiniteQuery(headerQuery(address, rev, path))
  const { hasNextPage, isFetchingNextPage, isError, fetchNextPage } = query
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && !isError) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, isError, fetchNextPage])
  const pages = query.data?.pages ?? []
  const [first] = pages
  const retry = () => void (first ? fetchNextPage() : query.refetch())
  return (
    <Section title="Tensors and keys">
      {first ? (
        <Explorer first={first} pages={pages} retry={isError ? retry : undefined} />
      ) : isError ? (
        <ErrorState error={query.error} onRetry={retry} />
      ) : (
        <ListSkeleton />
      )}
    </Section>
  )
}

interface ExplorerProps {
  first: FileHeader
  pages: FileHeader[]
  retry: (() => void) | undefined
}

const views = { tensors: 'Tensors', keys: 'Keys', template: 'Chat template' }
type View = keyof typeof views

function Explorer({ first, pages, retry }: ExplorerProps) {
  const tensors = useMemo(() => pages.flatMap(({ header }) => header.tensors), [pages])
  const templates = first.header.keys.filter(
    ({ key, value }) => /^tokenizer\.chat_template(\.|$)/.test(key) && typeof value === 'string',
  )
  const [view, setView] = useState<View>('tensors')
  const [search, setSearch] = useState('')
  const sought = useDeferredValue(search)
  const found = useMemo(() => matching(tensors, sought), [tensors, sought])
  const shown = (Object.keys(views) as View[]).filter(
    (each) => each === 'tensors' || (each === 'keys' ? first.header.keys.length > 0 : templates.length > 0),
  )
  return (
    <Stack gap="sm">
      <Totals header={first} />
      <Problems problems={first.problems} />
      {shown.length > 1 && (
        <SegmentedControl
          size="xs"
          aria-label="What to show"
          w="fit-content"
          data={shown.map((value) => ({ value, label: views[value] }))}
          value={view}
          onChange={(value) => setView(value as View)}
        />
      )}
      {view !== 'template' && (
        <TextInput
          type="search"
          size="xs"
          aria-label={`Search the ${view}`}
          placeholder={view === 'tensors' ? 'Search by name, dtype or shape' : 'Search by key or value'}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      )}
      {view === 'tensors' && (
        <>
          <Loading count={tensors.length} header={first} pages={pages} retry={retry} />
          <TensorRows tensors={found} files={first.files} isSearch={sought.trim() !== ''} />
        </>
      )}
      {view === 'keys' && <HeaderKeys keys={first.header.keys} search={sought} />}
      {view === 'template' &&
        templates.map(({ key, value }) => (
          <div key={key} className={frame['frame']}>
            {templates.length > 1 && (
              <Text size="sm" ff="monospace" p="xs">
                {key}
              </Text>
            )}
            <CodeView text={String(value)} language="jinja" label={key} />
          </div>
        ))}
    </Stack>
  )
}

function Totals({ header }: { header: FileHeader }) {
  const { parameters, parameters_by_dtype: byDtype, tensor_count: count, files, truncated } = header
  const dtypes = Object.entries(byDtype).sort(([, a], [, b]) => b - a)
  return (
    <Stack gap={6}>
      <Group gap="lg">
        <Total label="Parameters">
          <CountNumber value={parameters} />
        </Total>
        <Total label="Tensors">{formatExact(count)}</Total>
        <Total label={files.length === 1 ? 'Size' : `${formatExact(files.length)} shards`}>
          <Size bytes={files.reduce((sum, { size }) => sum + size, 0)} />
        </Total>
        <Total label="Format">{header.format === 'gguf' ? 'GGUF' : 'safetensors'}</Total>
      </Group>
      {dtypes.length > 0 && (
        <Group gap={6} aria-label="Parameters by dtype" role="group">
          {dtypes.map(([dtype, number]) => (
            <Mark key={dtype} title={`${formatExact(number)} parameters`}>
              {`${dtype} ${formatShare(parameters > 0 ? number / parameters : 0, number === parameters ? 0 : 1)}`}
            </Mark>
          ))}
        </Group>
      )}
      {truncated && (
        <Text size="sm" c="dimmed">
          The header is too large to list in full; the totals count all of it.
        </Text>
      )}
    </Stack>
  )
}

function Total({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Text fw={600} component="div">
        {children}
      </Text>
    </div>
  )
}

function Problems({ problems }: { problems: FileHeader['problems'] }) {
  if (problems.length === 0) return null
  return (
    <List size="sm" aria-label="What is wrong with the file">
      {problems.slice(0, 20).map(({ code, message, severity }) => (
        <List.Item key={`${code} ${message}`}>
          {message}{' '}
          <Mark {...(severity === 'info' ? {} : { color: severity === 'error' ? 'danger' : 'caution' })}>
            {code}
          </Mark>
        </List.Item>
      ))}
      {problems.length > 20 && <List.Item>and {problems.length - 20} more</List.Item>}
    </List>
  )
}

interface LoadingProps {
  count: number
  header: FileHeader
  pages: FileHeader[]
  retry: (() => void) | undefined
}

function Loading({ count, header, pages, retry }: LoadingProps) {
  if (!pages.at(-1)?.next_cursor) return null
  return (
    <Group gap="sm" aria-live="polite">
      <Progress
        flex={1}
        value={(count / Math.max(1, header.tensor_count)) * 100}
        aria-label="Tensors that are loaded"
      />
      <Text size="xs" c="dimmed">
        {formatExact(count)} of {formatExact(header.tensor_count)}
      </Text>
      {retry && (
        <Button size="xs" variant="default" onClick={retry}>
          Load the rest
        </Button>
      )}
    </Group>
  )
}
