import { Stack } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { DependencyLists } from '../features/content/dependencies.tsx'
import { RepoSafety } from '../features/content/safety/repo-safety.tsx'
import { JobTable } from '../features/jobs/job-table.tsx'
import { jobsQuery } from '../features/jobs/queries.ts'
import { Contents, OverTime } from '../features/repos/insights.tsx'
import { useRepo } from '../lib/repo-context.ts'
import { useMe } from '../lib/session.ts'
import { Paged } from '../ui/loaded.tsx'
import { Section } from '../ui/section.tsx'
import { EmptyState } from '../ui/states.tsx'

/** `…/insights`: how a repo is used, what it holds and needs, whether that is safe, and the work that was done on it. */
export function Component() {
  const { repo, address } = useRepo()
  const me = useMe()
  return (
    <Stack gap="md" className="in-order">
      <OverTime repo={repo} address={address} />
      <Contents repo={repo} address={address} />
      <DependencyLists address={address} />
      <RepoSafety />
      {me && <Jobs of={`${address.type}/${repo.full_name}`} />}
    </Stack>
  )
}

function Jobs({ of }: { of: string }) {
  const query = useInfiniteQuery(jobsQuery({ mine: false, repo: of }))
  return (
    <Section title="Jobs" note="Yours; to admins of the repo, all.">
      <Paged query={query} empty={<EmptyState picture="gears" title="No jobs here" />}>
        {(jobs) => <JobTable jobs={jobs} />}
      </Paged>
    </Section>
  )
}
