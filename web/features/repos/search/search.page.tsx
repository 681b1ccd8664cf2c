import { Button, Group, NativeSelect, TextInput } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { IconFileText, IconSearch, IconTag } from '@tabler/icons-react'
import { useEffect } from 'react'
import { Link } from 'react-router'
import type { RepoTypePath } from '../../../../shared/vocabulary.ts'
import { useAddressField } from '../../../lib/address-field.ts'
import { pages } from '../../../lib/pages.ts'
import { useQueryState } from '../../../lib/query-state.ts'
import { LinkTabs } from '../../../ui/link-tabs.tsx'
import { Paged } from '../../../ui/loaded.tsx'
import { PageFrame } from '../../../ui/page.tsx'
import { EmptyState, ListSkeleton } from '../../../ui/states.tsx'
import { reposQuery } from '../queries.ts'
import { RepoRows } from '../repo-rows.tsx'
import { CardRows } from './card-rows.tsx'
import { foundCardsQuery, type Search } from './queries.ts'
import classes from './search.module.css'

const typeLabels = { '': 'Models and datasets', models: 'Models', datasets: 'Datasets' } as const

/** `/search`: repos by the text of their cards, or by name; what is looked for lives in the address. */
export function Component() {
  const [params, set] = useQueryState()
  const q = (params.get('q') ?? '').trim().slice(0, 200)
  const chosen = params.get('type')
  const type: RepoTypePath | undefined = chosen === 'models' || chosen === 'datasets' ? chosen : undefined
  const isByName = params.get('in') === 'names'
  const search = { q, type }
  const Results = isByName ? ByName : ByCard
  return (
    <PageFrame title="Search">
      <Group mb="sm" gap="sm">
        <SearchBox q={q} onChange={(text) => set('q', text)} />
        <NativeSelect
          size="xs"
          aria-label="Type"
          data={Object.entries(typeLabels).map(([value, label]) => ({ value, label }))}
          value={type ?? ''}
          onChange={(event) => set('type', event.currentTarget.value)}
        />
      </Group>
      <LinkTabs
        label="Where to search"
        current={isByName ? 'names' : 'cards'}
        tabs={[
          {
            id: 'cards',
            to: pages.search({ ...search, in: 'cards' }),
            label: 'Cards',
            icon: <IconFileText size={16} />,
          },
          {
            id: 'names',
            to: pages.search({ ...search, in: 'names' }),
            label: 'Names',
            icon: <IconTag size={16} />,
          },
        ]}
      />
      <div className={classes['results']}>{q === '' ? <NothingAsked /> : <Results search={search} />}</div>
    </PageFrame>
  )
}

function SearchBox({ q, onChange }: { q: string; onChange: (text: string) => void }) {
  const field = useAddressField(q, ({ value }) => onChange(value.trim()))
  const { ref } = field
  // A page that was opened to write in it.
  useEffect(() => {
    if (q === '') ref.current?.focus({ preventScroll: true })
  }, [q, ref])
  return (
    <TextInput
      size="xs"
      type="search"
      w={{ base: '100%', xs: 420 }}
      maxLength={200}
      aria-label="Search repos"
      placeholder='Some words, or "words in quotes"'
      leftSection={<IconSearch size={14} />}
      {...field}
    />
  )
}

function ByCard({ search }: { search: Search }) {
  // The list stays while its search is changed.
  const query = useInfiniteQuery({ ...foundCardsQuery(search), placeholderData: keepPreviousData })
  const empty = (
    <NothingFound
      title={`No card says “${search.q}”`}
      next={{ to: pages.search({ ...search, in: 'names' }), label: 'Search in names' }}
    >
      Every word must occur in the card: leave some out, or look for a part of a name.
    </NothingFound>
  )
  return (
    <Paged query={query} skeleton={<ListSkeleton rows={8} height={92} />} empty={empty}>
      {(cards) => <CardRows cards={cards} />}
    </Paged>
  )
}

function ByName({ search: { q, type } }: { search: Search }) {
  const filter = { q, sort: 'likes', ...(type && { type }) } as const
  const query = useInfiniteQuery({ ...reposQuery(filter), placeholderData: keepPreviousData })
  const empty = (
    <NothingFound
      title={`No name has “${q}”`}
      next={{ to: pages.search({ q, type }), label: 'Search in cards' }}
    >
      Names, tags and descriptions are searched here, and what READMEs say in cards.
    </NothingFound>
  )
  return (
    <Paged query={query} skeleton={<ListSkeleton rows={8} height={72} />} empty={empty}>
      {(repos) => <RepoRows repos={repos} withType />}
    </Paged>
  )
}

interface NothingFoundProps {
  title: string
  /** The other place to search. */
  next: { to: string; label: string }
  children: string
}

function NothingFound({ title, next, children }: NothingFoundProps) {
  const action = (
    <Button size="xs" variant="default" component={Link} to={next.to}>
      {next.label}
    </Button>
  )
  return (
    <EmptyState picture="search" title={title} action={action}>
      {children}
    </EmptyState>
  )
}

function NothingAsked() {
  return (
    <EmptyState picture="search" title="Search what cards say">
      Type some words. A card must have all of them; words in quotes must stand side by side.
    </EmptyState>
  )
}
