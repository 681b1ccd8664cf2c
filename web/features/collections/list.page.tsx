import { Anchor, Button, Group, NativeSelect, Text, TextInput } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { IconPlus, IconSearch } from '@tabler/icons-react'
import { Link } from 'react-router'
import { useAddressField } from '../../lib/address-field.ts'
import { pages } from '../../lib/pages.ts'
import { useQueryState } from '../../lib/query-state.ts'
import { useMe } from '../../lib/session.ts'
import { Paged } from '../../ui/loaded.tsx'
import { PageFrame } from '../../ui/page.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { CollectionCards } from './collection-cards.tsx'
import { collectionsQuery, type CollectionFilter } from './queries.ts'
import { refOf, wordOf } from './words.ts'

const sortLabels = {
  updated: 'Recently updated',
  trending: 'Trending',
  upvotes: 'Upvotes',
} as const

const sorts = Object.keys(sortLabels) as (keyof typeof sortLabels)[]

/** `/collections`: those the viewer may see; search, order and filters live in the address. */
export function Component() {
  const [search, set] = useQueryState()
  const q = search.get('q') ?? ''
  const repo = refOf(search.get('item'))
  const sort = sorts.find((value) => value === search.get('sort')) ?? 'updated'
  const filter: CollectionFilter = { sort, ...(q ? { q } : {}), ...(repo ? { item: wordOf(repo) } : {}) }
  const query = useInfiniteQuery({ ...collectionsQuery(filter), placeholderData: keepPreviousData })
  return (
    <PageFrame title="Collections" actions={<NewCollection />}>
      <Group mb="sm" gap="sm">
        <SearchBox q={q} onChange={(text) => set('q', text)} />
        <NativeSelect
          size="xs"
          aria-label="Sort by"
          data={sorts.map((value) => ({ value, label: sortLabels[value] }))}
          value={sort}
          onChange={({ currentTarget: { value } }) => set('sort', value === 'updated' ? '' : value)}
        />
        {repo && (
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            with{' '}
            <Anchor component={Link} to={pages.repo(repo)} inherit underline="always" ff="monospace">
              {repo.ns}/{repo.name}
            </Anchor>
            {' · '}
            <Anchor component={Link} to={pages.collections()} inherit underline="always">
              show all
            </Anchor>
          </Text>
        )}
      </Group>
      <Paged query={query} empty={<NoCollections isFiltered={q !== '' || repo !== undefined} />}>
        {(collections) => <CollectionCards collections={collections} />}
      </Paged>
    </PageFrame>
  )
}

function SearchBox({ q, onChange }: { q: string; onChange: (text: string) => void }) {
  const field = useAddressField(q, ({ value }) => onChange(value.trim()))
  return (
    <TextInput
      size="xs"
      type="search"
      w={{ base: '100%', xs: 280 }}
      aria-label="Filter collections"
      placeholder="Filter collections by title or description"
      leftSection={<IconSearch size={14} />}
      {...field}
    />
  )
}

function NewCollection() {
  const me = useMe()
  if (!me) return null
  return (
    <Button size="xs" leftSection={<IconPlus size={14} />} component={Link} to={pages.newCollection()}>
      New collection
    </Button>
  )
}

function NoCollections({ isFiltered }: { isFiltered: boolean }) {
  const me = useMe()
  if (isFiltered)
    return (
      <EmptyState picture="search" title="Nothing matches">
        Try other words; what you look for may also be private or gone.
      </EmptyState>
    )
  const deed = me
    ? ({ kind: 'create-collection', title: 'My collection', ns: me.username } as const)
    : undefined
  return (
    <EmptyState picture="collection" title="No collections yet" deed={deed} action={<NewCollection />}>
      {me
        ? 'A collection shows repos and other collections that belong together, with notes and in an order of its own. Make one here, or from a terminal:'
        : 'There are no public collections yet.'}
    </EmptyState>
  )
}
