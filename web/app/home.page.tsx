import { Anchor, Button, Container, Group, Stack, Text, Title } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { JobProgress } from '../features/jobs/job-parts.tsx'
import { isActive, recentJobsQuery } from '../features/jobs/queries.ts'
import { namespaceQuery } from '../features/namespaces/queries.ts'
import { reposQuery } from '../features/repos/queries.ts'
import { RepoRows } from '../features/repos/repo-rows.tsx'
import { pages } from '../lib/pages.ts'
import { meQuery } from '../lib/session.ts'
import type { Me } from '../lib/types.ts'
import { Commands } from '../ui/commands/commands.tsx'
import { Loaded, Paged } from '../ui/loaded.tsx'
import { EmptyState, PageSkeleton } from '../ui/states.tsx'
import { StorageBar } from '../ui/storage-bar.tsx'
import { Setup } from './home-setup.tsx'

/** `/`: one's own repos, running jobs and storage; for a visitor, what this is; and what is used and changed. */
export function Component() {
  const query = useQuery(meQuery)
  return (
    <Container size={1280} py="lg">
      <title>Arsenal</title>
      <Loaded query={query} skeleton={<PageSkeleton />}>
        {(me) => (me ? <Mine me={me} /> : <Visitor />)}
      </Loaded>
    </Container>
  )
}

function Mine({ me }: { me: Me }) {
  const query = useInfiniteQuery(reposQuery({ ns: me.username, sort: 'updated', limit: 20 }))
  return (
    <Stack gap="lg">
      <Setup me={me} />
      <RunningJobs />
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={1}>My Repos</Title>
          <Group gap="md">
            <Storage me={me} />
            <Button size="xs" component={Link} to="/new">
              New Repo
            </Button>
          </Group>
        </Group>
        <Paged query={query} empty={<FirstSteps me={me} />}>
          {(repos) => <RepoRows repos={repos} withType />}
        </Paged>
      </Stack>
      <Top of={trending} />
      <Top of={latest} />
    </Stack>
  )
}

function RunningJobs() {
  const jobs = useQuery(recentJobsQuery).data?.items.filter(isActive) ?? []
  if (jobs.length === 0) return null
  return (
    <Stack gap="sm">
      <Title order={2}>Running Jobs</Title>
      {jobs.map((job) => (
        <Stack key={job.id} gap={4}>
          <Anchor component={Link} to={pages.job(job.id)} w="fit-content">
            {job.title}
          </Anchor>
          <JobProgress job={job} />
        </Stack>
      ))}
    </Stack>
  )
}

function FirstSteps({ me }: { me: Me }) {
  return (
    <EmptyState
      title="You have no Repos yet"
      deed={{ kind: 'upload', repo: `${me.username}/my-model`, type: 'model', isNew: true }}
    >
      Create one here, or upload a folder from a terminal; the hub clients you know work against this server:
    </EmptyState>
  )
}

function Storage({ me }: { me: Me }) {
  const { data } = useQuery(namespaceQuery(me.username))
  if (!data?.storage) return null
  const { used_bytes, pending_bytes, quota_bytes } = data.storage
  return (
    <StorageBar
      of={me.username}
      usedBytes={used_bytes}
      pendingBytes={pending_bytes}
      quotaBytes={quota_bytes}
    />
  )
}

const latest = { title: 'Recently updated', sort: 'updated' } as const
const trending = { title: 'Trending', sort: 'trending' } as const

function Top({ of: { title, sort } }: { of: typeof latest | typeof trending }) {
  const query = useInfiniteQuery(reposQuery({ sort, limit: 10 }))
  return (
    <Stack gap="sm" component="section" aria-label={title}>
      <Title order={2}>{title}</Title>
      <Paged query={query} empty={<EmptyState title="Nothing has been published yet" />}>
        {(repos) => <RepoRows repos={repos} withType />}
      </Paged>
    </Stack>
  )
}

function Visitor() {
  return (
    <Stack gap="xl">
      <Stack gap="sm" maw={640}>
        <Title order={1}>Models and datasets, on your own server</Title>
        <Text size="lg" c="dimmed">
          Arsenal stores, versions and serves models and datasets. Every client of the public hub works here
          once it is pointed at this address.
        </Text>
        <Commands of={{ kind: 'sign-in' }} />
        <Group>
          <Button component={Link} to="/login">
            Sign in
          </Button>
          <Button variant="default" component={Link} to="/models">
            Browse models
          </Button>
        </Group>
      </Stack>
      <Top of={trending} />
      <Top of={latest} />
    </Stack>
  )
}
