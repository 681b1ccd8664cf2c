import { Anchor, Group, NativeSelect, SegmentedControl, Text, TextInput } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { IconDownload, IconHeart, IconSearch } from '@tabler/icons-react'
import { Link } from 'react-router'
import { discoverSorts, type DiscoverSort, type RepoTypePath } from '../../../shared/vocabulary.ts'
import { useAddressField } from '../../lib/address-field.ts'
import { pages } from '../../lib/pages.ts'
import { useQueryState } from '../../lib/query-state.ts'
import { CountNumber, TimeAgo } from '../../ui/facts.tsx'
import { Loaded, Paged } from '../../ui/loaded.tsx'
import { Mark } from '../../ui/mark.tsx'
import { PageFrame } from '../../ui/page.tsx'
import { SignedIn } from '../../ui/signed-in.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { repoIn } from './choice.ts'
import frame from '../../ui/ui.module.css'
import classes from './mirrors.module.css'
import { discoverQuery, upstreamsQuery, type Found } from './queries.ts'
import { StateMark } from './state-mark.tsx'
import { TokenButton } from './token-dialog.tsx'

/** `/discover`: what other hubs have. */
export function Component() {
  const upstreams = useQuery(upstreamsQuery)
  return (
    <SignedIn>
      {() => (
        <PageFrame title="Discover">
          <Loaded query={upstreams}>
            {({ items }) =>
              items.length === 0 ? (
                <EmptyState picture="plug" title="No upstream is enabled. An admin can add one." />
              ) : (
                <Search upstreams={items} />
              )
            }
          </Loaded>
        </PageFrame>
      )}
    </SignedIn>
  )
}

const sortLabels: Record<DiscoverSort, string> = {
  trending: 'Trending',
  downloads: 'Most downloaded',
  likes: 'Most liked',
  lastModified: 'Recently updated',
}

interface SearchProps {
  upstreams: { id: string; name: string }[]
}

function Search({ upstreams }: SearchProps) {
  const [state, set] = useQueryState()
  const upstream = upstreams.find(({ id }) => id === state.get('upstream')) ?? upstreams[0]
  const type: RepoTypePath = state.get('type') === 'datasets' ? 'datasets' : 'models'
  const sort = discoverSorts.find((each) => each === state.get('sort')) ?? 'trending'
  const search = state.get('q') ?? ''
  const tags = (state.get('tags') ?? '')
    .split(',')
    .map((tag) => tag.trim())
    .filter(Boolean)
  if (!upstream) return null
  const filter = {
    upstream: upstream.id,
    sort,
    ...(search ? { search } : {}),
    ...(tags.length > 0 ? { filter: tags } : {}),
  }
  return (
    <>
      <Group mb="sm" gap="sm" align="end">
        <NativeSelect
          size="xs"
          label="Hub"
          data={upstreams.map(({ id, name }) => ({ value: id, label: name }))}
          value={upstream.id}
          onChange={(event) => set('upstream', event.currentTarget.value)}
        />
        <SegmentedControl
          size="xs"
          aria-label="Type"
          data={[
            { value: 'models', label: 'Models' },
            { value: 'datasets', label: 'Datasets' },
          ]}
          value={type}
          onChange={(value) => set('type', value === 'models' ? '' : value)}
        />
        <Typed
          label="Search"
          value={search}
          onChange={(text) => set('q', text)}
          placeholder="words, or owner/name"
        />
        <Typed
          label="Tags"
          value={tags.join(', ')}
          onChange={(text) => set('tags', text)}
          placeholder="gguf, license:mit"
        />
        <NativeSelect
          size="xs"
          label="Sort by"
          data={discoverSorts.map((value) => ({ value, label: sortLabels[value] }))}
          value={sort}
          onChange={(event) =>
            set('sort', event.currentTarget.value === 'trending' ? '' : event.currentTarget.value)
          }
        />
        <TokenButton upstream={upstream} />
      </Group>
      <Exact upstream={upstream} type={type} text={search} />
      <Results key={upstream.id} type={type} filter={filter} />
    </>
  )
}

interface TypedProps {
  label: string
  value: string
  placeholder: string
  onChange: (text: string) => void
}

function Typed({ label, value, placeholder, onChange }: TypedProps) {
  const field = useAddressField(value, (typed) => onChange(typed.value))
  return (
    <TextInput
      size="xs"
      style={{ flex: '1 0 auto' }}
      label={label}
      autoComplete="off"
      placeholder={placeholder}
      leftSection={label === 'Search' ? <IconSearch size={14} /> : undefined}
      {...field}
    />
  )
}

interface ExactProps {
  upstream: { id: string; name: string }
  type: RepoTypePath
  text: string
}

/** A hub may not list what somebody names. */
function Exact({ upstream, type, text }: ExactProps) {
  const named = repoIn(text)
  if (!named) return null
  const repo = { type: named.type ?? type, ns: named.ns, name: named.name }
  return (
    <Text size="sm" mb="sm">
      <Anchor component={Link} to={pages.discovered(upstream.id, repo)} underline="always">
        Open {repo.ns}/{repo.name} at {upstream.name}
      </Anchor>
    </Text>
  )
}

interface ResultsProps {
  type: RepoTypePath
  filter: Parameters<typeof discoverQuery>[1]
}

function Results({ type, filter }: ResultsProps) {
  const query = useInfiniteQuery({ ...discoverQuery(type, filter), placeholderData: keepPreviousData })
  return (
    <Paged query={query} empty={<EmptyState picture="search" title="The hub lists nothing that matches" />}>
      {(found) => (
        <ul className={`${frame['frame']} ${classes['rows']}`}>
          {found.map((repo) => (
            <FoundRow key={repo.id} repo={repo} upstream={filter.upstream} />
          ))}
        </ul>
      )}
    </Paged>
  )
}

function FoundRow({ repo, upstream }: { repo: Found; upstream: string }) {
  return (
    <li className={classes['row']}>
      <div className={classes['about']}>
        <div className={classes['names']}>
          <Link className={classes['name']} to={pages.discovered(upstream, repo)}>
            {repo.id}
          </Link>
          <StateMark arsenal={repo.arsenal} />
          {repo.gated && <Mark color="pending">gated</Mark>}
          {repo.private && <Mark color="caution">private</Mark>}
        </div>
        <p className={classes['description']}>
          {[repo.task, repo.library, repo.licence, repo.description].filter(Boolean).join(' · ')}
        </p>
      </div>
      <div className={classes['numbers']}>
        <span className={classes['number']}>
          <IconDownload size={13} aria-label="Downloads" />
          <CountNumber value={repo.downloads} />
        </span>
        <span className={classes['number']}>
          <IconHeart size={13} aria-label="Likes" />
          <CountNumber value={repo.likes} />
        </span>
        {repo.updated_at && <TimeAgo time={repo.updated_at} />}
      </div>
    </li>
  )
}
