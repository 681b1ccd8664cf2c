import { Anchor, Badge, Stack, Text, Title } from '@mantine/core'
import { useQueries, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { isActive, recentJobsQuery } from '../features/jobs/queries.ts'
import { namespaceQuery } from '../lib/namespace.ts'
import { api } from '../lib/api.ts'
import { pages } from '../lib/pages.ts'
import { addressOfSearch, savedSearchesQuery } from '../lib/saved-searches.ts'
import type { Me } from '../lib/types.ts'
import { AvatarPicture } from '../ui/avatar-picture.tsx'
import { CountNumber } from '../ui/facts.tsx'
import { StorageBar } from '../ui/storage-bar.tsx'
import frame from '../ui/ui.module.css'
import classes from './home.module.css'
import { JobProgress } from '../ui/job-progress.tsx'

/** What waits for the person, what runs, what they hold and where they belong. */
export function HomeSide({ me }: { me: Me }) {
  return (
    <aside className={classes['side']} aria-label="Overview">
      <Storage me={me} />
      <Organisations me={me} />
      <Reviews />
      <Waiting me={me} />
      <RunningJobs />
      <SavedSearches />
    </aside>
  )
}

function Card({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={`${frame['raised']} ${classes['card']}`} aria-label={title}>
      <Title order={2} fz="sm" mb="xs">
        {title}
      </Title>
      {children}
    </section>
  )
}

/** Repos whose requests are counted: of a person with more, those that changed last. */
const maxGated = 5

/** Requests for access that the person decides. */
function Waiting({ me }: { me: Me }) {
  const owners = [me.username, ...me.orgs.filter(({ role }) => role === 'admin').map(({ ns }) => ns)]
  const { data: gated = [] } = useQuery({
    queryKey: ['repos', 'gated', me.id],
    queryFn: async ({ signal }) => {
      const lists = await Promise.all(
        owners.slice(0, maxGated).map((ns) => api.listRepos({ query: { ns, limit: 50 } }, { signal })),
      )
      return lists
        .flatMap(({ items }) => items)
        .filter((repo) => repo.gated === 'manual')
        .slice(0, maxGated)
    },
  })
  const requests = useQueries({
    queries: gated.map((repo) => ({
      queryKey: ['repo', `${repo.type}s`, repo.ns, repo.name, 'access', 'waiting'],
      queryFn: async ({ signal }: { signal: AbortSignal }) => {
        const params = { type: `${repo.type}s` as const, ns: repo.ns, name: repo.name }
        const { items } = await api.listAccessRequests(
          { params, query: { status: 'pending', limit: 50 } },
          { signal },
        )
        return { repo, count: items.length }
      },
    })),
  })
  const waiting = requests.flatMap(({ data }) => (data && data.count > 0 ? [data] : []))
  if (waiting.length === 0) return null
  return (
    <Card title="Requests waiting for you">
      {waiting.map(({ repo, count }) => (
        <Link key={repo.id} to={pages.repoSettings(repo)} className={classes['line']}>
          <Badge size="sm" color="caution" variant="light">
            {count}
          </Badge>
          <Text size="sm" truncate>
            {repo.full_name}
          </Text>
        </Link>
      ))}
    </Card>
  )
}

/** Pull requests whose authors wait for the person's review. */
function Reviews() {
  const { data } = useQuery({
    queryKey: ['review-requests'],
    queryFn: ({ signal }) => api.listReviewRequests({}, { signal }),
  })
  if (!data || data.items.length === 0) return null
  return (
    <Card title="Waiting for your review">
      {data.items.map(({ repo, num, title }) => (
        <Link
          key={`${repo.type}s/${repo.ns}/${repo.name}#${num}`}
          to={pages.discussion(repo, num, 'files')}
          className={classes['line']}
        >
          <Text size="sm" truncate>
            {title}
          </Text>
          <Text size="xs" c="dimmed" ml="auto" truncate>
            {repo.name} #{num}
          </Text>
        </Link>
      ))}
    </Card>
  )
}

function RunningJobs() {
  const jobs = useQuery(recentJobsQuery).data?.items.filter(isActive) ?? []
  if (jobs.length === 0) return null
  return (
    <Card title="Running jobs">
      <Stack gap="sm">
        {jobs.map((job) => (
          <Stack key={job.id} gap={4}>
            <Anchor component={Link} to={pages.job(job.id)} size="sm" w="fit-content">
              {job.title}
            </Anchor>
            <JobProgress job={job} />
          </Stack>
        ))}
      </Stack>
    </Card>
  )
}

function SavedSearches() {
  const { data = [] } = useQuery(savedSearchesQuery)
  if (data.length === 0) return null
  return (
    <Card title="Saved searches">
      {data.map((saved) => (
        <Link key={saved.id} to={addressOfSearch(saved)} className={classes['line']}>
          <Text size="sm" truncate>
            {saved.name}
          </Text>
          <Text size="xs" c="dimmed" ml="auto">
            {saved.list}
          </Text>
        </Link>
      ))}
    </Card>
  )
}

function Storage({ me }: { me: Me }) {
  const { data } = useQuery(namespaceQuery(me.username))
  return (
    <Card title="Storage">
      <div style={{ minHeight: 24 }}>
        {data?.storage && (
          <StorageBar
            of={me.username}
            usedBytes={data.storage.used_bytes}
            pendingBytes={data.storage.pending_bytes}
            quotaBytes={data.storage.quota_bytes}
          />
        )}
      </div>
      {/* As high before it is known. */}
      <Text size="xs" c="dimmed" mt={4} mih={19}>
        {data && (
          <>
            <Counted value={data.counts.models} of="model" />,{' '}
            <Counted value={data.counts.datasets} of="dataset" />,{' '}
            <Counted value={data.counts.collections} of="collection" />
          </>
        )}
      </Text>
    </Card>
  )
}

/** `1 model`, `2 models` */
function Counted({ value, of }: { value: number; of: string }) {
  return (
    <>
      <CountNumber value={value} /> {value === 1 ? of : `${of}s`}
    </>
  )
}

function Organisations({ me }: { me: Me }) {
  return (
    <Card title="Organisations">
      {me.orgs.map((org) => (
        <Link key={org.ns} to={pages.namespace(org.ns)} className={classes['line']}>
          <AvatarPicture ns={org.ns} size={24} />
          <Text size="sm" truncate>
            {org.display_name || org.ns}
          </Text>
          <Text size="xs" c="dimmed" ml="auto">
            {org.role}
          </Text>
        </Link>
      ))}
      <Anchor component={Link} to="/orgs/new" size="sm">
        New organisation
      </Anchor>
    </Card>
  )
}
