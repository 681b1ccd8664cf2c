import { Button, Container, Grid, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Suspense, useState, type ReactNode } from 'react'
import { Link, useParams } from 'react-router'
import { limits } from '../../shared/vocabulary.ts'
import { CollectionCards } from '../features/collections/collection-cards.tsx'
import { collectionsQuery } from '../features/collections/queries.ts'
import { ActivityList } from '../features/namespaces/activity-list.tsx'
import { ProfileCard } from '../features/namespaces/profile-card.tsx'
import { pinsQuery, readmeQuery } from '../features/namespaces/queries.ts'
import { Readme } from '../features/namespaces/readme.tsx'
import { reposQuery } from '../features/repos/queries.ts'
import { RepoRows } from '../features/repos/repo-rows.tsx'
import { namespaceQuery } from '../lib/namespace.ts'
import { hasRole } from '../lib/repo-context.ts'
import { pages } from '../lib/pages.ts'
import type { Namespace } from '../lib/types.ts'
import { late } from '../ui/late.tsx'
import { Loaded, Paged } from '../ui/loaded.tsx'
import { ErrorState, PageSkeleton } from '../ui/states.tsx'
import { PageTitle } from '../ui/page-title.tsx'

const PinsDialog = late(() => import('../features/namespaces/pins-dialog.tsx'))

/** `/{ns}`: a user or an organisation and what it owns. */
export function Component() {
  const { ns = '' } = useParams()
  const query = useQuery(namespaceQuery(ns))
  // Both stand above all else: what came later would push the rest down.
  const [readme, pinned] = [useQuery(readmeQuery(ns)), useQuery(pinsQuery(ns))]
  const isReady = !readme.isPending && !pinned.isPending
  return (
    <Container size={1280} py="lg">
      <PageTitle>{ns}</PageTitle>
      <Loaded query={query} skeleton={<PageSkeleton />}>
        {(namespace) =>
          !isReady ? (
            <PageSkeleton />
          ) : (
            <Grid gap="xl">
              <Grid.Col span={{ base: 12, sm: 4, md: 3 }}>
                <ProfileCard namespace={namespace} />
              </Grid.Col>
              <Grid.Col span={{ base: 12, sm: 8, md: 9 }}>
                <Stack gap="lg" className="in-order">
                  <Readme namespace={namespace} />
                  <Pinned namespace={namespace} />
                  <Owned namespace={namespace} type="models" />
                  <Owned namespace={namespace} type="datasets" />
                  <Collections namespace={namespace} />
                  {namespace.kind === 'user' && <Liked namespace={namespace} />}
                  {namespace.kind === 'user' && <ActivityList user={namespace.ns} />}
                </Stack>
              </Grid.Col>
            </Grid>
          )
        }
      </Loaded>
    </Container>
  )
}

/** What is pinned; where nothing is, those who may pin are asked to. */
function Pinned({ namespace }: { namespace: Namespace }) {
  const { ns } = namespace
  const query = useQuery(pinsQuery(ns))
  const [isOpen, setIsOpen] = useState(false)
  const repos = query.data?.items ?? []
  const { models, datasets } = namespace.counts
  const mayPin = hasRole(namespace, 'admin') && models + datasets > 0
  if (query.error) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  if (!query.data || (repos.length === 0 && !mayPin)) return null
  return (
    <Stack gap="sm" component="section" aria-label="pinned">
      <Group justify="space-between">
        <Title order={2}>Pinned</Title>
        {mayPin && (
          <Button size="xs" variant="default" onClick={() => setIsOpen(true)}>
            {repos.length === 0 ? 'Pin repos' : 'Change pinned repos'}
          </Button>
        )}
      </Group>
      {repos.length > 0 ? (
        <RepoRows repos={repos} withType view="grid" />
      ) : (
        <Text size="sm" c="dimmed">
          Pin up to {limits.pinnedRepos} repos to show them here first.
        </Text>
      )}
      <Suspense>{isOpen && <PinsDialog ns={ns} pinned={repos} onClose={() => setIsOpen(false)} />}</Suspense>
    </Stack>
  )
}

function Owned({ namespace, type }: { namespace: Namespace; type: 'models' | 'datasets' }) {
  const query = useInfiniteQuery(reposQuery({ ns: namespace.ns, type, sort: 'updated', limit: 20 }))
  return (
    <Stack gap="sm" component="section" aria-label={type}>
      <Group justify="space-between">
        <Title order={2}>{type === 'models' ? 'Models' : 'Datasets'}</Title>
        {hasRole(namespace, 'write') && (
          <Button
            size="xs"
            variant="default"
            component={Link}
            to={`/new?type=${type}&ns=${encodeURIComponent(namespace.ns)}`}
          >
            New {type === 'models' ? 'model' : 'dataset'}
          </Button>
        )}
      </Group>
      <Paged query={query} empty={<Nothing>No {type} here yet.</Nothing>}>
        {(repos) => <RepoRows repos={repos} />}
      </Paged>
    </Stack>
  )
}

function Collections({ namespace }: { namespace: Namespace }) {
  const query = useInfiniteQuery(collectionsQuery({ owner: namespace.ns }))
  return (
    <Stack gap="sm" component="section" aria-label="collections">
      <Group justify="space-between">
        <Title order={2}>Collections</Title>
        {hasRole(namespace, 'write') && (
          <Button size="xs" variant="default" component={Link} to={pages.newCollection({ ns: namespace.ns })}>
            New collection
          </Button>
        )}
      </Group>
      <Paged query={query} empty={<Nothing>No collections here yet.</Nothing>}>
        {(collections) => <CollectionCards collections={collections} withOwner={false} />}
      </Paged>
    </Stack>
  )
}

function Liked({ namespace }: { namespace: Namespace }) {
  const query = useInfiniteQuery(reposQuery({ liked_by: namespace.ns, sort: 'updated', limit: 20 }))
  return (
    <Stack gap="sm" component="section" aria-label="likes">
      <Title order={2}>Likes</Title>
      <Paged query={query} empty={<Nothing>No likes yet.</Nothing>}>
        {(repos) => <RepoRows repos={repos} withType />}
      </Paged>
    </Stack>
  )
}

/** A section without anything is one line: several pictures below each other would be all that one sees. */
function Nothing({ children }: { children: ReactNode }) {
  return (
    <Paper withBorder p="md">
      <Text size="sm" c="dimmed">
        {children}
      </Text>
    </Paper>
  )
}
