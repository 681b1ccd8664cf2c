import { Anchor, Button, Container, Group, Stack, Text, Title } from '@mantine/core'
import { useInfiniteQuery, usePrefetchInfiniteQuery, useQuery } from '@tanstack/react-query'
import { IconHome, IconRss } from '@tabler/icons-react'
import { Suspense } from 'react'
import { Link, useSearchParams } from 'react-router'
import { reposQuery } from '../features/repos/queries.ts'
import { RepoRows } from '../features/repos/repo-rows.tsx'
import { formatExact } from '../lib/format.ts'
import { pages } from '../lib/pages.ts'
import { useLook, useSiteName } from '../lib/look.ts'
import { meQuery } from '../lib/session.ts'
import type { Me } from '../lib/types.ts'
import { Commands } from '../ui/commands/commands.tsx'
import { Picture } from '../ui/picture.tsx'
import { late } from '../ui/late.tsx'
import { LinkTabs } from '../ui/link-tabs.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { Logo } from '../ui/logo.tsx'
import { Welcome } from '../ui/welcome.tsx'
import { EmptyState, ListSkeleton, PageSkeleton } from '../ui/states.tsx'
import { HomeSide } from './home-side.tsx'
import { Setup } from './home-setup.tsx'
import classes from './home.module.css'

const Feed = late(() => import('../features/feed/feed.tsx'))

/** `/`: one's own repos, what waits and runs, storage; for a visitor, what this is; and what is used and changed. */
export function Component() {
  const query = useQuery(meQuery)
  const site = useSiteName()
  return (
    <Container size={1280} py="lg">
      <title>{site}</title>
      <Loaded query={query} skeleton={<PageSkeleton />}>
        {(me) =>
          me ? (
            <Mine me={me} />
          ) : (
            <Suspense fallback={<PageSkeleton />}>
              <Visitor />
            </Suspense>
          )
        }
      </Loaded>
    </Container>
  )
}

const tabs = [
  { id: 'overview', to: '/', label: 'Overview', icon: <IconHome size={16} /> },
  { id: 'feed', to: '/?show=feed', label: 'Feed', icon: <IconRss size={16} /> },
]

function Mine({ me }: { me: Me }) {
  const isFeed = useSearchParams()[0].get('show') === 'feed'
  return (
    <Stack gap="lg">
      <Setup me={me} />
      <div className={classes['home']}>
        <Stack gap="md" miw={0}>
          <LinkTabs label="Home" tabs={tabs} current={isFeed ? 'feed' : 'overview'} />
          {isFeed ? (
            <Suspense fallback={<ListSkeleton rows={8} height={72} />}>
              <Feed />
            </Suspense>
          ) : (
            <Overview me={me} />
          )}
        </Stack>
        <HomeSide me={me} />
      </div>
    </Stack>
  )
}

function Overview({ me }: { me: Me }) {
  const isOwnThere = !useInfiniteQuery(ownQuery(me)).isPending
  return (
    <Stack gap="xl">
      <Own me={me} />
      <Tops isReady={isOwnThere} />
    </Stack>
  )
}

/** As many as fit beside the column; their skeletons have their height, so that nothing below moves. */
const shown = 6
const rowPixels = 82

const ownQuery = (me: Me) => reposQuery({ ns: me.username, sort: 'updated', limit: shown })
const topQuery = (sort: 'trending' | 'updated') => reposQuery({ sort, limit: shown })

function Own({ me }: { me: Me }) {
  const query = useInfiniteQuery(ownQuery(me))
  const first = query.data?.pages[0]
  return (
    <section aria-labelledby="own">
      <Group justify="space-between" mb="sm">
        <Title order={1} id="own" size="h2">
          My repos
        </Title>
        <Group gap="sm">
          {first && first.total > shown && (
            <Anchor component={Link} to={pages.namespace(me.username)} size="sm">
              All {formatExact(first.total)}
            </Anchor>
          )}
          <Button size="xs" variant="default" component={Link} to="/discover">
            Pull from another hub
          </Button>
          <Button size="xs" component={Link} to="/new">
            New repo
          </Button>
        </Group>
      </Group>
      <Loaded query={query} skeleton={<ListSkeleton rows={3} height={rowPixels - 8} />}>
        {({ pages: [page] }) =>
          page && page.items.length > 0 ? (
            <RepoRows repos={page.items} withType />
          ) : (
            <EmptyState
              title="You have no repos yet"
              deed={{ kind: 'upload', repo: `${me.username}/my-model`, type: 'model', isNew: true }}
            >
              Create one here, or upload a folder from a terminal. The hub clients you know work against this
              server:
            </EmptyState>
          )
        }
      </Loaded>
    </section>
  )
}

/** Each list stands below one whose height is known, so that nothing moves; all are asked for at once. */
function Tops({ isReady }: { isReady: boolean }) {
  usePrefetchInfiniteQuery(topQuery('updated'))
  const isFirstThere = !useInfiniteQuery(topQuery('trending')).isPending
  if (!isReady) return null
  return (
    <>
      <Top title="Trending" sort="trending" />
      {isFirstThere && <Top title="Recently updated" sort="updated" />}
    </>
  )
}

function Top({ title, sort }: { title: string; sort: 'trending' | 'updated' }) {
  const query = useInfiniteQuery(topQuery(sort))
  return (
    <section aria-label={title}>
      <Group justify="space-between" mb="sm">
        <Title order={2}>{title}</Title>
        <Group gap="sm">
          {(['models', 'datasets'] as const).map((type) => (
            <Anchor
              key={type}
              component={Link}
              to={`/${type}${sort === 'updated' ? '' : `?sort=${sort}`}`}
              size="sm"
            >
              All {type}
            </Anchor>
          ))}
        </Group>
      </Group>
      <Loaded query={query} skeleton={<ListSkeleton rows={shown} height={rowPixels - 8} />}>
        {({ pages: [page] }) =>
          page && page.items.length > 0 ? (
            <RepoRows repos={page.items} withType />
          ) : (
            <EmptyState title="Nothing has been published yet" />
          )
        }
      </Loaded>
    </section>
  )
}

function Visitor() {
  const { name, welcome, logo_url } = useLook()
  return (
    <Stack gap={48}>
      <div className={classes['hero']}>
        <Stack gap="md" miw={0}>
          {logo_url && <Logo size={56} />}
          <Title order={1} fz={{ base: '2xl', sm: '3xl' }} lh={1.15} style={{ overflowWrap: 'anywhere' }}>
            {name ?? 'Models and datasets, on your own server'}
          </Title>
          {welcome ? (
            <Welcome text={welcome} />
          ) : (
            <Text size="lg" c="dimmed">
              {name ?? 'Arsenal'} stores, versions and serves models and datasets. Every client of the public
              hub works here once it is pointed at this address.
            </Text>
          )}
          <Group>
            <Button size="md" component={Link} to="/login">
              Sign in
            </Button>
            <Button size="md" variant="default" component={Link} to="/models">
              Browse models
            </Button>
          </Group>
          <Commands label="From a terminal or a program" of={{ kind: 'sign-in' }} />
        </Stack>
        <div className={classes['picture']}>
          <Picture of="box" />
        </div>
      </div>
      <Tops isReady />
    </Stack>
  )
}
