import { Anchor, Text } from '@mantine/core'
import { Link } from 'react-router'
import { pages } from '../../../lib/pages.ts'
import { useRepo } from '../../../lib/repo-context.ts'
import type { DiscussionEvent } from '../../../lib/types.ts'
import { Mark } from '../../../ui/mark.tsx'
import diff from '../../../ui/diff/diff.module.css'
import classes from '../discussions.module.css'

const signs = { context: ' ', add: '+', delete: '-' } as const

interface PlaceHeadProps {
  num: number
  place: NonNullable<DiscussionEvent['place']>
}

/** Which line a review comment is about, and what stood there. */
export default function PlaceHead({ num, place }: PlaceHeadProps) {
  const { repo } = useRepo()
  const { path, line, side, outdated, excerpt, commit } = place
  const target = outdated
    ? `${pages.blob(repo, commit, path)}#L${line}`
    : `${pages.discussion(repo, num, 'files')}#change-${encodeURIComponent(path)}`
  return (
    <div className={classes['place']}>
      <div className={classes['placeHead']}>
        <Anchor component={Link} to={target} ff="monospace" size="xs" style={{ overflowWrap: 'anywhere' }}>
          {path}:{line}
        </Anchor>
        {side === 'old' && (
          <Text size="xs" c="dimmed">
            before the change
          </Text>
        )}
        {outdated && <Mark color="caution">outdated</Mark>}
      </div>
      {excerpt.length > 0 && (
        <div className={diff['scroll']} tabIndex={0} role="group" aria-label="The line">
          <table className={diff['diff']}>
            <tbody>
              {excerpt.map(({ kind, text }, i) => (
                <tr key={i} data-kind={kind}>
                  <td>{i === excerpt.length - 1 ? line : ''}</td>
                  <td>{signs[kind]}</td>
                  <td>{text}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </div>
  )
}
