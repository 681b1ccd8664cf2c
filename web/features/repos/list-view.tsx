import { Button, Group, NativeSelect, Text, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useInfiniteQuery } from '@tanstack/react-query'
import { IconPlus, IconSearch } from '@tabler/icons-react'
import { Link, useSearchParams } from 'react-router'
import { repoSorts, type RepoSort, type RepoTypePath } from '../../../shared/vocabulary.ts'
import { formatExact } from '../../lib/format.ts'
import { useMe } from '../../lib/session.ts'
import { Paged } from '../../ui/loaded.tsx'
import { PageFrame } from '../../ui/page.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { reposQuery } from './queries.ts'
import { RepoRows } from './repo-rows.tsx'

const sortLabels: Record<RepoSort, string> = {
  updated: 'Recently updated',
  name: 'Name',
  size: 'Size',
  parameters: 'Parameters',
  downloads: 'Downloads',
  likes: 'Likes',
}

/** The list of models or datasets; search and order live in the address. */
export function RepoListView({ type }: { type: RepoTypePath }) {
  const [search, setSearch] = useSearchParams()
  const q = search.get('q') ?? ''
  const sort = repoSorts.find((value) => value === search.get('sort')) ?? 'updated'
  const query = useInfiniteQuery(reposQuery({ type, sort, ...(q ? { q } : {}) }))
  const set = (key: string, value: string) =>
    setSearch(
      (now) => {
        const next = new URLSearchParams(now)
        if (value) next.set(key, value)
        else next.delete(key)
        return next
      },
      { replace: true },
    )
  return (
    <PageFrame title={type === 'models' ? 'Models' : 'Datasets'} actions={<NewRepo type={type} />}>
      <Group mb="sm" gap="sm">
        <SearchBox
          key={search.get('q') === null ? 'none' : 'some'}
          q={q}
          type={type}
          onChange={(text) => set('q', text)}
        />
        <NativeSelect
          size="xs"
          aria-label="Sort by"
          data={repoSorts.map((value) => ({ value, label: sortLabels[value] }))}
          value={sort}
          onChange={(event) =>
            set('sort', event.currentTarget.value === 'updated' ? '' : event.currentTarget.value)
          }
        />
        <Total first={query.data?.pages[0]} />
      </Group>
      <Paged query={query} empty={<NoRepos type={type} q={q} />}>
        {(repos) => <RepoRows repos={repos} />}
      </Paged>
    </PageFrame>
  )
}

function SearchBox({
  q,
  type,
  onChange,
}: {
  q: string
  type: RepoTypePath
  onChange: (text: string) => void
}) {
  const change = useDebouncedCallback(onChange, 250)
  return (
    <TextInput
      size="xs"
      type="search"
      w={{ base: '100%', xs: 280 }}
      aria-label={`Filter ${type}`}
      placeholder={`Filter ${type} by name`}
      leftSection={<IconSearch size={14} />}
      defaultValue={q}
      onChange={(event) => change(event.currentTarget.value)}
    />
  )
}

function Total({ first }: { first: { total?: number; total_at_least?: number } | undefined }) {
  const text =
    first?.total !== undefined
      ? formatExact(first.total)
      : first?.total_at_least !== undefined && `more than ${formatExact(first.total_at_least)}`
  return (
    <Text size="sm" c="dimmed" aria-live="polite">
      {text && `${text} found`}
    </Text>
  )
}

function NewRepo({ type }: { type: RepoTypePath }) {
  if (!useMe()) return null
  return (
    <Button size="xs" leftSection={<IconPlus size={14} />} component={Link} to={`/new?type=${type}`}>
      New {type === 'models' ? 'model' : 'dataset'}
    </Button>
  )
}

function NoRepos({ type, q }: { type: RepoTypePath; q: string }) {
  const me = useMe()
  if (q) return <EmptyState title={`No ${type} match “${q}”`}>Try part of a name, or fewer words.</EmptyState>
  const kind = type === 'datasets' ? ' --repo-type dataset' : ''
  const command = me ? `hf upload ${me.username}/my-${type.slice(0, -1)} ./folder${kind}` : undefined
  return (
    <EmptyState title={`No ${type} yet`} command={command} action={<NewRepo type={type} />}>
      {me
        ? 'Create one here, or upload a folder from a terminal:'
        : 'Nothing public has been published here so far.'}
    </EmptyState>
  )
}
