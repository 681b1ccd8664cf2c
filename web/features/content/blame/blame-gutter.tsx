import { Avatar, VisuallyHidden } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { Link } from 'react-router'
import { formatExactTime } from '../../../lib/format.ts'
import { pages } from '../../../lib/pages.ts'
import { useRepo } from '../../../lib/repo-context.ts'
import { AvatarPicture } from '../../../ui/avatar-picture.tsx'
import { TimeAgo } from '../../../ui/facts.tsx'
import type { Blame } from '../queries.ts'
import classes from './blame.module.css'

type Range = Blame['ranges'][number]
type BlamedCommit = Blame['commits'][number]

/** A range of lines with its commit, and how recent that is: from 0 to 1. */
export interface Traced {
  range: Range
  commit: BlamedCommit
  heat: number
}

/** What stands beside the lines from `start` to before `end`, which count from 0. */
export function BlameGutter({ traced, start, end }: { traced: Traced[]; start: number; end: number }) {
  return traced
    .filter(({ range }) => range.start - 1 < end && range.start - 1 + range.count > start)
    .map(({ range, commit, heat }) => {
      const from = Math.max(range.start - 1, start)
      const lines = Math.min(range.start - 1 + range.count, end) - from
      const isBeginning = from === range.start - 1
      return (
        <div
          key={range.start}
          className={classes['range']}
          data-begins={isBeginning || undefined}
          style={{ '--lines': lines, '--heat': `${Math.round(heat * 100)}%` } as React.CSSProperties}
        >
          {isBeginning && <Origin range={range} commit={commit} />}
        </div>
      )
    })
}

function Origin({ range, commit }: { range: Range; commit: BlamedCommit }) {
  const { repo } = useRepo()
  const { author, committed_at: time, title, sha } = commit
  const last = range.start + range.count - 1
  return (
    <>
      <VisuallyHidden>
        {last > range.start ? `Lines ${range.start} to ${last}: ` : `Line ${range.start}: `}
      </VisuallyHidden>
      <Link
        className={classes['commit']}
        to={pages.commit(repo, sha)}
        title={`${title}\n${author.username ?? author.name}, ${formatExactTime(time)}\n${sha.slice(0, 8)}`}
      >
        {author.username ? (
          <AvatarPicture ns={author.username} size={16} />
        ) : (
          <Avatar size={16} radius="xl" name={author.name} alt="" />
        )}
        <span className={classes['title']}>{title}</span>
        <span className={classes['age']}>
          <TimeAgo time={time} />
        </span>
      </Link>
      {range.previous && (
        <Link
          className={classes['before']}
          to={pages.blame(repo, range.previous.commit, range.previous.path)}
          title="Blame before this change"
          aria-label={`Blame before ${sha.slice(0, 8)}`}
        >
          <IconArrowBackUp size={14} aria-hidden />
        </Link>
      )}
    </>
  )
}
