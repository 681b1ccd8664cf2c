import { Skeleton, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { memo } from 'react'
import { Link } from 'react-router'
import { pages } from '../../../lib/pages.ts'
import { useRepo } from '../../../lib/repo-context.ts'
import { TimeAgo } from '../../../ui/facts.tsx'
import { Author } from '../author.tsx'
import classes from '../entry-table.module.css'
import { commitsQuery } from '../queries.ts'

/** The commit that last changed a folder, above its entries. */
export const LatestCommit = memo(function LatestCommit({ rev, path }: { rev: string; path: string }) {
  const { repo, address } = useRepo()
  const { data } = useInfiniteQuery(commitsQuery(address, { rev, path }))
  const commit = data?.pages[0]?.items[0]
  if (!commit) return <div className={classes['latest']}>{!data && <Skeleton height={16} width="40%" />}</div>
  return (
    <div className={classes['latest']}>
      <Author commit={commit} />
      <Link to={pages.commit(repo, commit.sha)} title={commit.title} className={classes['latestTitle']}>
        {commit.title}
      </Link>
      <Text size="xs" c="dimmed" component="span" ff="monospace" visibleFrom="sm">
        {commit.sha.slice(0, 8)}
      </Text>
      <Text size="xs" c="dimmed" component="span">
        <TimeAgo time={commit.committed_at} />
      </Text>
    </div>
  )
})
