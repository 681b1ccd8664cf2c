import { Anchor, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { jobStatuses } from '../../../shared/vocabulary.ts'
import { formatDuration } from '../../lib/format.ts'
import { CountNumber, Size, TimeAgo } from '../../ui/facts.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Section } from '../../ui/section.tsx'
import classes from './admin.module.css'
import { ChunkCard } from './chunk-card.tsx'
import { FailuresCard } from './failures-card.tsx'
import { FetchedHead } from './fetched-head.tsx'
import { Figures } from './figures.tsx'
import { HealthCard } from './health-card.tsx'
import { overviewQuery, queueQuery, type Overview } from './queries.ts'
import { SchedulesCard } from './schedules-card.tsx'
import { Alarm, ObjectCard, PackCard, StorageCard } from './storage-cards.tsx'
import { StorageReportCards } from './storage-report.tsx'
import { UpkeepCard } from './upkeep-card.tsx'

/** `/admin`: what is stored, what it costs, how the jobs stand, what runs. */
export function Component() {
  const query = useQuery(overviewQuery)
  return (
    <>
      <FetchedHead title="Administration" query={query} done="Counted" again="Refresh">
        <Anchor component={Link} to="/admin/quotas" size="sm">
          Quotas
        </Anchor>
      </FetchedHead>
      <Loaded query={query} skeleton={<CardSkeletons />}>
        {(overview) => <Cards overview={overview} />}
      </Loaded>
    </>
  )
}

function Cards({ overview: { at, storage, jobs, counts, server } }: { overview: Overview }) {
  return (
    <div className={classes['cards']}>
      <div className={classes['wide']}>
        <StorageCard storage={storage} />
      </div>
      <HealthCard />
      <JobCard jobs={jobs} />
      <UpkeepCard />
      <div className={classes['wide']}>
        <FailuresCard />
      </div>
      <div className={classes['wide']}>
        <SchedulesCard />
      </div>
      <StorageReportCards disk={storage.disk} />
      <ObjectCard lfs={storage.lfs} />
      <PackCard storage={storage} />
      <ChunkCard chunks={storage.chunks} at={at} />
      <ContentCard counts={counts} />
      <ServerCard server={server} />
    </div>
  )
}

function JobCard({ jobs }: { jobs: Overview['jobs'] }) {
  const { data: queue } = useQuery(queueQuery)
  return (
    <Section title="Jobs">
      <Figures
        rows={[
          ['Due, without a worker', queue ? <CountNumber key="q" value={queue.due} /> : '–'],
          ['The oldest has waited', queue && queue.due > 0 ? formatDuration(queue.age_seconds) : '–'],
          ['Failed in the last 24 hours', <Alarm key="f" count={jobs.failed_24h} />],
          ...jobStatuses.map((status): [string, React.ReactNode] => [
            status.replace(/^./, (first) => first.toUpperCase()),
            <Anchor
              key={status}
              component={Link}
              to={`/jobs?all=&status=${status}`}
              inherit
              underline="always"
            >
              <CountNumber value={jobs[status]} />
            </Anchor>,
          ]),
        ]}
      />
    </Section>
  )
}

function ContentCard({ counts }: { counts: Overview['counts'] }) {
  return (
    <Section title="Repos and people">
      <Figures
        rows={[
          ['Models', <CountNumber key="m" value={counts.models} />],
          ['Datasets', <CountNumber key="d" value={counts.datasets} />],
          ['Deleted, to be restored or purged', <CountNumber key="x" value={counts.deleted_repos} />],
          ['Users', <CountNumber key="u" value={counts.users} />],
          ['Organisations', <CountNumber key="o" value={counts.orgs} />],
        ]}
      />
    </Section>
  )
}

const engines = { sqlite: 'SQLite', postgres: 'PostgreSQL' }

function ServerCard({
  server: { version, role, node, database, started_at },
}: {
  server: Overview['server']
}) {
  return (
    <Section title="Server">
      <Figures
        rows={[
          ['Arsenal', version],
          ['Role of this process', role],
          ['Started', <TimeAgo key="s" time={started_at} />],
          ['Node', node],
          [engines[database.engine], database.version],
          ['Database', <Size key="d" bytes={database.bytes} />],
        ]}
      />
    </Section>
  )
}

function CardSkeletons() {
  return (
    <div className={classes['cards']} aria-busy="true" role="status" aria-label="Loading">
      <Skeleton height={120} />
      {Array.from({ length: 6 }, (_, i) => (
        <Skeleton key={i} height={220} />
      ))}
    </div>
  )
}
