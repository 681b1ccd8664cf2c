import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Outlet, useParams } from 'react-router'
import { useRepo } from '../../lib/repo-context.ts'
import { discussionQuery } from '../../lib/repo-queries.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { EmptyState, PageSkeleton } from '../../ui/states.tsx'
import { Forum } from './forum.tsx'
import { PullTabs } from './pull-tabs.tsx'
import { ThreadHead } from './thread-head.tsx'
import { PageTitle } from '../../ui/page-title.tsx'

/** `…/discussions/{num}`: the frame of a thread: what it is called, how it stands, a pull request's tabs. */
export function Component() {
  const { num = '' } = useParams()
  return (
    <Forum>
      {/^[1-9]\d{0,8}$/.test(num) ? (
        <Thread key={num} num={Number(num)} />
      ) : (
        <EmptyState picture="search" title="There is no such discussion" />
      )}
    </Forum>
  )
}

function Thread({ num }: { num: number }) {
  const { repo, address } = useRepo()
  const query = useQuery(discussionQuery(address, num))
  return (
    <Loaded query={query} skeleton={<PageSkeleton />}>
      {(discussion) => (
        <Stack gap="md">
          <PageTitle>{`${discussion.title} #${num} · ${repo.full_name}`}</PageTitle>
          <ThreadHead discussion={discussion} />
          {discussion.pull_request && <PullTabs discussion={discussion} />}
          <Outlet context={discussion} />
        </Stack>
      )}
    </Loaded>
  )
}
