import { Anchor, Text } from '@mantine/core'
import {
  IconCircleCheck,
  IconCircleDot,
  IconGitCommit,
  IconGitMerge,
  IconGitPullRequestDraft,
  IconLink,
  IconMessageCheck,
  IconMessageCircle,
  IconPencil,
  IconTag,
  IconUserCheck,
  IconUserQuestion,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { pages } from '../../lib/pages.ts'
import { useRepo } from '../../lib/repo-context.ts'
import type { DiscussionEvent } from '../../lib/types.ts'
import { TimeAgo } from '../../ui/facts.tsx'
import classes from './discussions.module.css'
import { Person } from './person.tsx'
import { Reviewed } from './review/reviewed.tsx'
import { lookOfVerdict } from './review/states.tsx'
import { Changed } from './marks/changed.tsx'

/** What happened between the comments, on one line. */
export function EventLine({ event }: { event: DiscussionEvent }) {
  const Icon = icons[iconOf(event)]
  return (
    <div className={classes['event']} id={event.id}>
      <span className={classes['eventIcon']} style={{ color: colorOf(event) }} aria-hidden>
        <Icon size={14} />
      </span>
      <Text size="sm" c="dimmed" component="div" className={classes['said'] ?? ''}>
        <Person author={event.author} /> <Happened event={event} /> <TimeAgo time={event.created_at} />
      </Text>
    </div>
  )
}

function iconOf({ type, to, verdict }: DiscussionEvent) {
  if (type === 'review' && verdict) return verdict
  if (type === 'status_change' && to === 'draft') return 'draft'
  return type === 'status_change' && to === 'open' ? 'reopening' : type
}

const colorOf = ({ type, verdict }: DiscussionEvent) =>
  type === 'review' ? `var(--mantine-color-${lookOfVerdict(verdict).color}-text)` : undefined

const icons = {
  comment: IconMessageCircle,
  status_change: IconCircleCheck,
  title_change: IconPencil,
  commit: IconGitCommit,
  merge: IconGitMerge,
  reference: IconLink,
  thread_change: IconMessageCheck,
  review: lookOfVerdict('comment').Icon,
  review_request: IconUserQuestion,
  label_change: IconTag,
  assignee_change: IconUserCheck,
  approve: lookOfVerdict('approve').Icon,
  request_changes: lookOfVerdict('request_changes').Icon,
  reopening: IconCircleDot,
  draft: IconGitPullRequestDraft,
}

function Happened({ event }: { event: DiscussionEvent }): ReactNode {
  const { type, from, to, commit } = event
  if (type === 'status_change' && from === 'draft' && to === 'open') return 'said that this is ready'
  if (type === 'status_change' && to === 'draft') return 'made this a draft'
  if (type === 'status_change') return to === 'open' ? 'reopened this' : 'closed this'
  if (type === 'title_change')
    return (
      <>
        changed the title from <del>{from}</del> to{' '}
        <Text span inherit fw={600} c="var(--mantine-color-text)">
          {to}
        </Text>
      </>
    )
  if (type === 'thread_change')
    return (
      <>
        {to === 'resolved' ? 'resolved' : 'reopened'}{' '}
        <Anchor component={Link} to={`#${event.thread}`} inherit underline="always">
          a comment on the changes
        </Anchor>
      </>
    )
  if (type === 'review' || type === 'review_request') return <Reviewed event={event} />
  if (type === 'label_change' || type === 'assignee_change') return <Changed event={event} />
  if (type === 'merge' && commit)
    return (
      <>
        merged this as <CommitLink sha={commit.sha} />
      </>
    )
  if (type === 'commit' && commit)
    return (
      <>
        committed <CommitLink sha={commit.sha} title={commit.title} />
      </>
    )
  return 'referred to this'
}

/** A commit by its title, and by the beginning of its hash where it has none. */
export function CommitLink({ sha, title }: { sha: string; title?: string | undefined }) {
  const { repo } = useRepo()
  return (
    <Anchor
      component={Link}
      to={pages.commit(repo, sha)}
      inherit
      underline="always"
      title={sha}
      {...(title ? {} : { ff: 'monospace' })}
    >
      {title ?? sha.slice(0, 8)}
    </Anchor>
  )
}
