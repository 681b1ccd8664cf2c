import { Anchor, Text } from '@mantine/core'
import { Link } from 'react-router'
import type { Operations } from '../../../shared/client.ts'
import { formatExact } from '../../lib/format.ts'
import { pages } from '../../lib/pages.ts'
import { AvatarPicture } from '../../ui/avatar-picture.tsx'
import { TimeAgo } from '../../ui/facts.tsx'
import frame from '../../ui/ui.module.css'
import classes from './feed.module.css'

export type FeedEntry = Operations['getFeed']['result']['items'][number]

const kinds = { discussion: 'discussion', pull_request: 'pull request' }

const said: Record<NonNullable<FeedEntry['deed']>, (kind: string) => string> = {
  opened: (kind) => `opened a ${kind} in`,
  commented: () => 'commented in',
  reviewed: (kind) => `reviewed a ${kind} in`,
  merged: (kind) => `merged a ${kind} in`,
  closed: (kind) => `closed a ${kind} in`,
  reopened: (kind) => `reopened a ${kind} in`,
  ready: (kind) => `said that a ${kind} is ready in`,
  drafted: (kind) => `made a ${kind} a draft in`,
}

function deedOf({ repo, commit, commits, discussion, deed }: FeedEntry): string {
  if (discussion && deed) return said[deed](kinds[discussion.kind])
  if (!commit) return `created the ${repo.type}`
  return commits === 1 ? 'committed to' : `brought ${commits} commits to`
}

/** A dimmed line: of a thread its comments of the day, where there is more than one; else the description of the repo. */
function noteOf({ comments = 0, discussion, description }: FeedEntry): string | undefined {
  if (!discussion) return description
  return comments > 1 ? `${formatExact(comments)} comments on this day` : undefined
}

/** Who did what in which repo, and what the repo is or how much was said. */
export function FeedRow({ entry }: { entry: FeedEntry }) {
  const { author, repo, commit, discussion, at } = entry
  const note = noteOf(entry)
  return (
    <li className={`${frame['frameRow']} ${classes['row']}`} data-row>
      <AvatarPicture ns={author ?? repo.ns} size={32} />
      <div className={classes['text']}>
        <Text size="sm">
          {author ? (
            <Anchor component={Link} to={pages.namespace(author)} inherit c="inherit" fw={600}>
              {author}
            </Anchor>
          ) : (
            'A job or a deleted account'
          )}{' '}
          {deedOf(entry)}{' '}
          <Anchor component={Link} to={pages.repo(repo)} inherit ff="monospace">
            {repo.ns}/{repo.name}
          </Anchor>
        </Text>
        {commit && (
          <Anchor component={Link} to={pages.commit(repo, commit.sha)} size="sm" lineClamp={1} c="inherit">
            {commit.title ?? commit.sha.slice(0, 7)}
          </Anchor>
        )}
        {discussion && (
          <Anchor
            component={Link}
            to={pages.discussion(repo, discussion.num)}
            size="sm"
            lineClamp={1}
            c="inherit"
          >
            {discussion.title} #{discussion.num}
          </Anchor>
        )}
        {note && (
          <Text size="sm" c="dimmed" lineClamp={1}>
            {note}
          </Text>
        )}
      </div>
      <Text size="xs" c="dimmed" component="div" className={classes['time'] ?? ''}>
        <TimeAgo time={at} />
      </Text>
    </li>
  )
}
