import { ActionIcon, Button, Group, NativeSelect, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { IconLayoutGrid, IconLayoutList, IconList, IconPlus, IconSearch, IconX } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { Link } from 'react-router'
import type { RepoTypePath } from '../../../shared/vocabulary.ts'
import { useAddressField } from '../../lib/address-field.ts'
import { formatExact } from '../../lib/format.ts'
import { pages } from '../../lib/pages.ts'
import { useMe } from '../../lib/session.ts'
import { late } from '../../ui/late.tsx'
import { Paged } from '../../ui/loaded.tsx'
import { savedSearchesQuery } from '../../lib/saved-searches.ts'
import { PageFrame } from '../../ui/page.tsx'
import { EmptyState, ListSkeleton } from '../../ui/states.tsx'
import { Facet, Ranges } from './facets.tsx'
import { extraLabels, facetNames, ranges, sortLabels, useListState, type FacetName } from './list-state.ts'
import { reposQuery } from './queries.ts'
import { RepoRows, type RowView } from './repo-rows.tsx'
import { SavedButton } from './saved-button.tsx'
import classes from './repos.module.css'
import { searchWords } from './search-words.ts'
import { useSteadyFacets } from './steady-facets.ts'

const SavedSearches = late(() => import('./saved-searches.tsx'))

/** The list of models or datasets; search, order and facets live in the address. */
export function RepoListView({ type }: { type: RepoTypePath }) {
  const state = useListState(type)
  const { q, filter, facets, bounds, extras } = state
  const narrowed = facets.size + bounds.size
  const isFiltered = q !== '' || narrowed + extras.length > 0
  // The list stays while it is narrowed.
  const query = useInfiniteQuery({ ...reposQuery(filter), placeholderData: keepPreviousData })
  const first = query.data?.pages[0]
  const [view, setView] = useLocalStorage<RowView>({
    key: 'list-view',
    defaultValue: 'list',
    getInitialValueInEffect: false,
  })
  const [areFiltersOpen, setFiltersOpen] = useState(false)
  return (
    <PageFrame title={type === 'models' ? 'Models' : 'Datasets'} actions={<NewRepo type={type} />}>
      <Group mb="sm" gap="sm">
        <SearchBox q={q} type={type} onChange={(text, filters) => state.setAll({ q: text, ...filters })} />
        <SortBy state={state} />
        <Saved type={type} isFiltered={isFiltered} />
        <Button
          size="xs"
          variant="default"
          hiddenFrom="md"
          aria-expanded={areFiltersOpen}
          onClick={() => setFiltersOpen(!areFiltersOpen)}
        >
          {narrowed === 0 ? 'Filters' : `Filters · ${narrowed}`}
        </Button>
        <Extras state={state} />
        <Total first={first} />
        <ViewSwitch view={view} onChange={setView} />
      </Group>
      <div className={classes['list']}>
        <Filters
          type={type}
          state={state}
          found={first?.facets}
          isFiltered={isFiltered}
          isOpen={areFiltersOpen}
        />
        <div className={classes['results']}>
          <Paged
            query={query}
            skeleton={<ListSkeleton rows={10} height={view === 'dense' ? 30 : 72} />}
            empty={<NoRepos type={type} q={q} isFiltered={isFiltered} />}
          >
            {(repos) => <RepoRows repos={repos} view={view} />}
          </Paged>
        </div>
      </div>
    </PageFrame>
  )
}

/** The button alone, until it is pressed: the menu and its forms are a third of the JavaScript of a list. */
function Saved({ type, isFiltered }: { type: RepoTypePath; isFiltered: boolean }) {
  const isSignedIn = Boolean(useMe())
  const { data = [] } = useQuery({ ...savedSearchesQuery, enabled: isSignedIn })
  const [isWanted, setIsWanted] = useState(false)
  if (!isSignedIn) return null
  const count = data.filter(({ list }) => list === type).length
  const button = <SavedButton count={count} aria-haspopup="menu" onClick={() => setIsWanted(true)} />
  if (!isWanted) return button
  return (
    <Suspense fallback={button}>
      <SavedSearches list={type} isFiltered={isFiltered} />
    </Suspense>
  )
}

type ListState = ReturnType<typeof useListState>

function SortBy({ state: { sort, set } }: { state: ListState }) {
  return (
    <NativeSelect
      size="xs"
      aria-label="Sort by"
      data={Object.entries(sortLabels).map(([value, label]) => ({ value, label }))}
      value={sort}
      onChange={(event) =>
        set('sort', event.currentTarget.value === 'updated' ? '' : event.currentTarget.value)
      }
    />
  )
}

/** What the address asks for beside search and facets; pressing one takes it away. */
function Extras({ state: { extras, set } }: { state: ListState }) {
  return extras.map(([name, value]) => (
    <Button
      key={name}
      size="xs"
      variant="default"
      maw="100%"
      rightSection={<IconX size={12} />}
      aria-label={`Remove the filter ${extraLabels[name]}: ${value}`}
      onClick={() => set(name, '')}
    >
      {extraLabels[name]}: {value}
    </Button>
  ))
}

interface FiltersProps {
  type: RepoTypePath
  state: ListState
  found: Record<FacetName, { value: string; count: number }[]> | undefined
  isFiltered: boolean
  /** On a narrow page; a wide one always has room for them. */
  isOpen: boolean
}

function Filters({ type, state: { facets, bounds, set, setAll }, found, isFiltered, isOpen }: FiltersProps) {
  const values = useSteadyFacets(found, isFiltered)
  return (
    <Stack
      component="aside"
      aria-label="Filters"
      gap="md"
      className={classes['facets'] ?? ''}
      mod={{ open: isOpen }}
    >
      {found === undefined && facets.size === 0 && <FacetsSkeleton />}
      {facetNames[type].map((name) => (
        <Facet
          key={name}
          name={name}
          values={values[name] ?? []}
          chosen={facets.get(name)}
          onChoose={(value) => set(name, value)}
        />
      ))}
      <Ranges ranges={ranges[type]} chosen={bounds} onChoose={set} onChooseAll={setAll} />
    </Stack>
  )
}

function SearchBox({
  q,
  type,
  onChange,
}: {
  q: string
  type: RepoTypePath
  onChange: (words: string, filters: Record<string, string>) => void
}) {
  const take = (input: HTMLInputElement, isDone: boolean) => {
    const { words, filters, rest } = searchWords(input.value, type, isDone)
    if (rest !== input.value) input.value = rest
    onChange(words, filters)
  }
  const field = useAddressField(q, (input) => take(input, false))
  return (
    <TextInput
      size="xs"
      type="search"
      w={{ base: '100%', xs: 280 }}
      aria-label={`Filter ${type}`}
      placeholder="Name, tag, or license:mit"
      leftSection={<IconSearch size={14} />}
      {...field}
      onKeyDown={(event) => event.key === 'Enter' && take(event.currentTarget, true)}
    />
  )
}

const views = [
  ['list', 'List', IconLayoutList],
  ['dense', 'Dense list', IconList],
  ['grid', 'Cards', IconLayoutGrid],
] as const

/** How the list is drawn; kept in this browser. */
function ViewSwitch({ view, onChange }: { view: RowView; onChange: (view: RowView) => void }) {
  return (
    <ActionIcon.Group ml="auto">
      {views.map(([id, label, Icon]) => (
        <ActionIcon
          key={id}
          size={30}
          variant={id === view ? 'light' : 'default'}
          aria-label={label}
          aria-pressed={id === view}
          title={label}
          onClick={() => onChange(id)}
        >
          <Icon size={16} />
        </ActionIcon>
      ))}
    </ActionIcon.Group>
  )
}

/** Stands where the facets will be, so that nothing moves when they come. */
function FacetsSkeleton() {
  return [90, 70, 60].map((height) => <Skeleton key={height} height={height} />)
}

function Total({ first }: { first: { total: number } | undefined }) {
  return (
    <Text size="sm" c="dimmed" aria-live="polite">
      {first && `${formatExact(first.total)} found`}
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

function NoRepos({ type, q, isFiltered }: { type: RepoTypePath; q: string; isFiltered: boolean }) {
  const me = useMe()
  if (isFiltered)
    return (
      <EmptyState
        picture="search"
        title={`No ${type} match`}
        action={
          <Group gap="xs" justify="center">
            {q !== '' && (
              <Button size="xs" maw="100%" component={Link} to={pages.search({ q, type })}>
                Search in cards for “{q}”
              </Button>
            )}
            <Button size="xs" variant="default" component={Link} to={`/${type}`}>
              Clear search and filters
            </Button>
          </Group>
        }
      >
        Try part of a name, or fewer filters.
      </EmptyState>
    )
  const one = type === 'datasets' ? 'dataset' : 'model'
  const deed = me && ({ kind: 'upload', repo: `${me.username}/my-${one}`, type: one, isNew: true } as const)
  return (
    <EmptyState title={`No ${type} yet`} deed={deed ?? undefined} action={<NewRepo type={type} />}>
      {me
        ? 'Create one here, or upload a folder from a terminal:'
        : 'Nothing public has been published here so far.'}
    </EmptyState>
  )
}
