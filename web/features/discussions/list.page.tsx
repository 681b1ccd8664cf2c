import { Button, Group, Stack, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { IconGitPullRequest, IconMessageCircle, IconMessagePlus } from '@tabler/icons-react'
import { Link } from 'react-router'
import { pages } from '../../lib/pages.ts'
import { useRepo } from '../../lib/repo-context.ts'
import type { Discussion } from '../../lib/types.ts'
import { CountNumber, TimeAgo } from '../../ui/facts.tsx'
import { Paged } from '../../ui/loaded.tsx'
import { Mark } from '../../ui/mark.tsx'
import { uploadTo } from '../../lib/upload-to.ts'
import { EmptyState } from '../../ui/states.tsx'
import frame from '../../ui/ui.module.css'
import classes from './discussions.module.css'
import { Forum } from './forum.tsx'
import { ListFilters, StatusChoice } from './list-filters.tsx'
import { useListState } from './list-state.ts'
import { Person } from './person.tsx'
import { discussionsQuery } from './queries.ts'
import { SignInToSpeak } from './reply.tsx'
import { useRights } from './rights.ts'
import { LabelLinks } from './marks/label-chip.tsx'
import { ManageLabels } from './marks/manage-button.tsx'
import { RowAssignees } from './marks/row-marks.tsx'
import { StatusIcon } from './status-mark.tsx'
import { standingOf } from './thread.ts'
import { PageTitle } from '../../ui/page-title.tsx'

/** `…/discussions`: discussions and pull requests, newest first. */
export function Component() {
  const { repo } = useRepo()
  return (
    <Forum>
      <PageTitle>{`Community of ${repo.full_name}`}</PageTitle>
      <List />
    </Forum>
  )
}

function List() {
  const { address } = useRepo()
  const state = useListState()
  const query = useInfiniteQuery(discussionsQuery(address, state.filter))
  return (
    <Stack gap="md">
      <Stack gap="xs">
        <Group justify="space-between" gap="xs">
          <StatusChoice state={state} counts={query.data?.pages[0]?.counts} />
          <NewButtons />
        </Group>
        <ListFilters state={state} />
      </Stack>
      <Paged query={query} empty={<NothingHere state={state} />}>
        {(discussions) => (
          <ul className={`${frame['frame']} ${classes['list']}`} aria-label="Discussions and pull requests">
            {discussions.map((discussion) => (
              <Row key={discussion.num} discussion={discussion} />
            ))}
          </ul>
        )}
      </Paged>
    </Stack>
  )
}

function NewButtons() {
  const { repo } = useRepo()
  const { isSignedIn, canSpeak, canMerge, canBeChanged } = useRights()
  if (isSignedIn === false) return <SignInToSpeak />
  if (!canSpeak) return null
  return (
    <Group gap="xs">
      {canMerge && <ManageLabels />}
      {canBeChanged && (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconGitPullRequest size={14} />}
          component={Link}
          to={pages.newDiscussion(repo, 'pull_request')}
        >
          New pull request
        </Button>
      )}
      <Button
        data-key="n"
        size="xs"
        leftSection={<IconMessagePlus size={14} />}
        component={Link}
        to={pages.newDiscussion(repo)}
      >
        New discussion
      </Button>
    </Group>
  )
}

function NothingHere({ state }: { state: ReturnType<typeof useListState> }) {
  const { repo } = useRepo()
  const { canBeChanged } = useRights()
  const { kind: wanted, author, label, assignee, q, status } = state
  if (wanted || author || label || assignee || q || status === 'closed')
    return (
      <EmptyState picture="search" title="Nothing matches">
        Try another status, other words, any kind, label or person; what you look for may also be gone.
      </EmptyState>
    )
  const title = status === 'all' ? 'No discussions yet' : 'Nothing is open'
  if (!canBeChanged)
    return (
      <EmptyState picture="talk" title={title}>
        Ask a question or report a problem here.
      </EmptyState>
    )
  return (
    <EmptyState picture="talk" title={title} deed={uploadTo(repo, repo.default_branch, true)}>
      Ask a question or report a problem here; propose a change as a pull request, here or from a terminal or
      a program:
    </EmptyState>
  )
}

function Row({ discussion }: { discussion: Discussion }) {
  const { repo } = useRepo()
  const { num, pull_request: pull, comment_count: comments } = discussion
  const standing = standingOf(discussion)
  return (
    <li className={`${frame['frameRow']} ${classes['row']}`}>
      <StatusIcon discussion={discussion} />
      <div className={classes['rowText']}>
        <Text
          component={Link}
          to={pages.discussion(repo, num)}
          data-row
          fw={600}
          c="var(--mantine-color-text)"
          style={{ overflowWrap: 'anywhere' }}
        >
          {discussion.title}
        </Text>
        {standing === 'merged' && <Note color="accent">merged</Note>}
        {standing === 'draft' && <Note color="gray">draft</Note>}
        {pull?.mergeable === 'conflicts' && (standing === 'open' || standing === 'draft') && (
          <Note color="caution">conflicts</Note>
        )}
        {standing === 'open' && pull?.review === 'approved' && <Note color="safe">approved</Note>}
        {standing === 'open' && pull?.review === 'changes_requested' && (
          <Note color="danger">changes requested</Note>
        )}
        <Text size="xs" c="dimmed" component="div">
          #{num} opened by <Person author={discussion.author} /> <TimeAgo time={discussion.created_at} />
        </Text>
        {discussion.labels.length > 0 && (
          <div className={classes['rowLabels']}>
            <LabelLinks labels={discussion.labels} />
          </div>
        )}
      </div>
      <RowAssignees assignees={discussion.assignees} />
      <Text size="xs" c="dimmed" component="div" className={classes['rowCount'] ?? ''}>
        <IconMessageCircle size={14} aria-hidden /> <CountNumber value={comments} />
        <span className={classes['unseen']}>{comments === 1 ? 'comment' : 'comments'}</span>
      </Text>
    </li>
  )
}

function Note({ color, children }: { color: string; children: string }) {
  return (
    <span style={{ marginLeft: 8 }}>
      <Mark color={color}>{children}</Mark>
    </span>
  )
}
