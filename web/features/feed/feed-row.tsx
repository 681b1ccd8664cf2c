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
  if (!repo) return 'created the collection'
  if (discussion && deed) return said[deed](kinds[discussion.kind])
  if (!commit) return `created the ${repo.type}`
  return commits === 1 ? 'committed to' : `brought ${commits} commits to`
}

/** A dimmed line: of a thread its comments of the day, where there is more than one; else the description of the repo or the collection. */
function noteOf({ comments = 0, discussion, description }: FeedEntry): string | undefined {
  if (!discussion) return description
  return comments > 1 ? `${formatExact(comments)} comments on this day` : undefined
}

/** The page that shows more of it, and what that is called. */
function detailOf({ repo, commit, discussion }: FeedEntry): { to: string; text: string } | undefined {
  if (!repo) return undefined
  if (commit) return { to: pages.commit(repo, commit.sha), text: commit.title ?? commit.sha.slice(0, 7) }
  if (!discussion) return undefined
  const { num, title } = discussion
  return { to: pages.discussion(repo, num), text: `${title} #${num}` }
}

/** Who did what where, and what that is or how much was said. */
export function FeedRow({ entry }: { entry: FeedEntry }) {
  const { author, repo, collection, at } = entry
  const detail = detailOf(entry)
  const note = noteOf(entry)
  return (
    <li className={`${frame['frameRow']} ${classes['row']}`} data-row>
      <AvatarPicture ns={author ?? (repo ?? collection)?.ns ?? '-'} size={32} />
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
          {repo && (
            <Anchor component={Link} to={pages.repo(repo)} inherit ff="monospace">
              {repo.ns}/{repo.name}
            </Anchor>
          )}
          {collection && (
            <Anchor component={Link} to={pages.collection(collection)} inherit>
              {collection.title}
            </Anchor>
          )}
        </Text>
        {detail && (
          <Anchor component={Link} to={detail.to} size="sm" lineClamp={1} c="inherit">
            {detail.text}
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
