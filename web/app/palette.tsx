import '@mantine/spotlight/styles.css'
import { useDebouncedValue } from '@mantine/hooks'
import { createSpotlight, Spotlight } from '@mantine/spotlight'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { IconSearch } from '@tabler/icons-react'
import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { api } from '../lib/api.ts'
import { pages } from '../lib/pages.ts'
import { useMe } from '../lib/session.ts'

const [store, spotlight] = createSpotlight()

const places = [
  ['Home', '/', false],
  ['Models', '/models', false],
  ['Datasets', '/datasets', false],
  ['Collections', '/collections', false],
  ['New Repo', '/new', true],
  ['New collection', '/collections/new', true],
  ['New Organisation', '/orgs/new', true],
  ['Jobs', '/jobs', true],
  ['Discover other hubs', '/discover', true],
  ['Tokens', '/settings/tokens', true],
  ['Sessions', '/settings/sessions', true],
  ['Settings', '/settings', true],
  ['API reference', '/docs/api', false],
  ['Compatibility', '/docs/compatibility', false],
] as const

interface PaletteProps {
  query: string
  onQueryChange: (query: string) => void
  /** Called when its field has the focus, with what was typed before. */
  onFocus: () => void
  onClose: () => void
}

const focusOnce = (field: HTMLInputElement | null) => field?.focus({ preventScroll: true })

/** The palette: pages, repos, collections, people and organisations by name. */
export default function Palette({ query, onQueryChange, onFocus, onClose }: PaletteProps) {
  const me = useMe()
  useEffect(() => {
    spotlight.open()
    return spotlight.close
  }, [])
  const word = query.trim().toLowerCase()
  const shown = places.filter(([label, , needsMe]) => (me || !needsMe) && label.toLowerCase().includes(word))
  return (
    <Spotlight.Root
      store={store}
      query={query}
      onQueryChange={onQueryChange}
      onSpotlightClose={onClose}
      shortcut={null}
      clearQueryOnClose={false}
      returnFocus={false}
      scrollable
    >
      <Spotlight.Search
        placeholder="Repos, collections, people, pages"
        leftSection={<IconSearch size={18} />}
        aria-label="Search"
        // The dialog's own way to give it the focus waits, and keys would go astray meanwhile.
        ref={focusOnce}
        onFocus={({ currentTarget: field }) => {
          field.setSelectionRange(field.value.length, field.value.length)
          onFocus()
        }}
      />
      <Spotlight.ActionsList>
        {shown.length > 0 && (
          <Spotlight.ActionsGroup label="Pages">
            {shown.map(([label, to]) => (
              <Go key={to} label={label} to={to} />
            ))}
          </Spotlight.ActionsGroup>
        )}
        <Found word={word} />
      </Spotlight.ActionsList>
    </Spotlight.Root>
  )
}

function Found({ word }: { word: string }) {
  const [q] = useDebouncedValue(word, 150)
  const { data } = useQuery({
    queryKey: ['search', q],
    queryFn: ({ signal }) => api.search({ query: { q, limit: 8 } }, { signal }),
    enabled: q !== '',
    placeholderData: keepPreviousData,
  })
  if (!word || !data) return null
  return (
    <>
      {data.repos.length > 0 && (
        <Spotlight.ActionsGroup label="Repos">
          {data.repos.map((repo) => (
            <Go
              key={pages.repo(repo)}
              label={`${repo.ns}/${repo.name}`}
              note={repo.type}
              to={pages.repo(repo)}
            />
          ))}
        </Spotlight.ActionsGroup>
      )}
      {data.collections.length > 0 && (
        <Spotlight.ActionsGroup label="Collections">
          {data.collections.map((found) => (
            <Go key={found.slug} label={found.title} note={found.ns} to={pages.collection(found)} />
          ))}
        </Spotlight.ActionsGroup>
      )}
      {data.namespaces.length > 0 && (
        <Spotlight.ActionsGroup label="People and Organisations">
          {data.namespaces.map((found) => (
            <Go key={found.ns} label={found.ns} note={found.display_name} to={pages.namespace(found.ns)} />
          ))}
        </Spotlight.ActionsGroup>
      )}
    </>
  )
}

function Go({ label, note, to }: { label: string; note?: string; to: string }) {
  const navigate = useNavigate()
  return (
    <Spotlight.Action
      label={label}
      {...(note ? { description: note } : {})}
      onClick={() => void navigate(to)}
    />
  )
}
