import { Anchor, Group, Stack, Text, Title } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { pages } from '../../lib/pages.ts'
import type { Activity } from '../../lib/types.ts'
import { TimeAgo } from '../../ui/facts.tsx'
import { Paged } from '../../ui/loaded.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { ActivityCalendar } from './activity-calendar.tsx'
import { activityQuery } from './queries.ts'

/** What a person did in repos that the viewer may see, newest first. */
export function ActivityList({ user }: { user: string }) {
  const query = useInfiniteQuery(activityQuery(user))
  return (
    <Stack gap="sm" component="section" aria-label="activity">
      <Title order={2}>Activity</Title>
      <ActivityCalendar user={user} />
      <Paged
        query={query}
        empty={
          <EmptyState picture="chart" title="No activity yet">
            Repos created, commits and discussions appear here, as far as you may see their repos.
          </EmptyState>
        }
      >
        {(entries) => (
          <Stack gap="xs" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
            {entries.map((entry) => (
              <li key={entry.id}>
                <Entry entry={entry} />
              </li>
            ))}
          </Stack>
        )}
      </Paged>
    </Stack>
  )
}

function Entry({ entry }: { entry: Activity }) {
  const { action, title, to } = describe(entry)
  return (
    <Group gap="xs" justify="space-between" wrap="nowrap" align="flex-start">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {action}{' '}
        <Anchor component={Link} to={pages.repo(entry.repo)} size="sm">
          {entry.repo.ns}/{entry.repo.name}
        </Anchor>
        {title && (
          <>
            {': '}
            <Anchor component={Link} to={to} size="sm">
              {title}
            </Anchor>
          </>
        )}
      </Text>
      <Text size="xs" c="dimmed" component="div" style={{ flexShrink: 0 }}>
        <TimeAgo time={entry.at} />
      </Text>
    </Group>
  )
}

/** What was done, and where its page is. */
function describe({ repo, commit, discussion }: Activity): { action: string; title?: string; to: string } {
  if (commit)
    return {
      action: `Committed to ${commit.branch} of`,
      title: commit.title ?? commit.sha.slice(0, 7),
      to: pages.commit(repo, commit.sha),
    }
  if (discussion)
    return {
      action: discussion.kind === 'pull_request' ? 'Opened a pull request in' : 'Opened a discussion in',
      title: discussion.title,
      to: pages.discussion(repo, discussion.num),
    }
  return { action: `Created the ${repo.type}`, to: pages.repo(repo) }
}
