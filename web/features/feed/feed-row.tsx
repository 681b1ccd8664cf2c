import { Anchor, Text } from '@mantine/core'
import { Link } from 'react-router'
import type { Operations } from '../../../shared/client.ts'
import { pages } from '../../lib/pages.ts'
import { AvatarPicture } from '../../ui/avatar-picture.tsx'
import { TimeAgo } from '../../ui/facts.tsx'
import frame from '../../ui/ui.module.css'
import classes from './feed.module.css'

export type FeedEntry = Operations['getFeed']['result']['items'][number]

function deedOf({ repo, commit, commits }: FeedEntry): string {
  if (!commit) return `created the ${repo.type}`
  return commits === 1 ? 'committed to' : `brought ${commits} commits to`
}

/** Who did what in which repo, and what the repo is. */
export function FeedRow({ entry }: { entry: FeedEntry }) {
  const { author, repo, commit, description, at } = entry
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
        {description && (
          <Text size="sm" c="dimmed" lineClamp={1}>
            {description}
          </Text>
        )}
      </div>
      <Text size="xs" c="dimmed" component="div" className={classes['time'] ?? ''}>
        <TimeAgo time={at} />
      </Text>
    </li>
  )
}
