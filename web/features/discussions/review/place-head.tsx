import { Anchor, Text } from '@mantine/core'
import { Link } from 'react-router'
import { pages } from '../../../lib/pages.ts'
import { useRepo } from '../../../lib/repo-context.ts'
import type { DiscussionEvent } from '../../../lib/types.ts'
import { hashOf } from '../../../ui/code/selected-lines.ts'
import { Mark } from '../../../ui/mark.tsx'
import diff from '../../../ui/diff/diff.module.css'
import classes from '../discussions.module.css'
import { linesText } from './lines-text.ts'

const signs = { context: ' ', add: '+', delete: '-' } as const

type Place = NonNullable<DiscussionEvent['place']>

interface PlaceHeadProps {
  num: number
  place: Place
}

/** The number of each line of an excerpt that is meant; of several lines it has no others. */
const numbersOf = ({ excerpt, start_line: first, line }: Place) =>
  excerpt.map((_, i) =>
    first !== undefined || i === excerpt.length - 1 ? line - excerpt.length + 1 + i : '',
  )

/** Which line a review comment is about, and what stood there. */
export default function PlaceHead({ num, place }: PlaceHeadProps) {
  const { repo } = useRepo()
  const { path, start_line: first, line, side, outdated, excerpt, commit } = place
  const numbers = numbersOf(place)
  const target = outdated
    ? `${pages.blob(repo, commit, path)}${hashOf(first ?? line, line)}`
    : `${pages.discussion(repo, num, 'files')}#change-${encodeURIComponent(path)}`
  return (
    <div className={classes['place']}>
      <div className={classes['placeHead']}>
        <Anchor component={Link} to={target} ff="monospace" size="xs" style={{ overflowWrap: 'anywhere' }}>
          {first === undefined ? `${path}:${line}` : path}
        </Anchor>
        {first !== undefined && <Text size="xs">{linesText(place)}</Text>}
        {side === 'old' && (
          <Text size="xs" c="dimmed">
            before the change
          </Text>
        )}
        {outdated && <Mark color="caution">outdated</Mark>}
      </div>
      {excerpt.length > 0 && (
        <div
          className={diff['scroll']}
          tabIndex={0}
          role="group"
          aria-label={first === undefined ? 'The line' : 'The lines'}
        >
          <table className={diff['diff']}>
            <tbody>
              {excerpt.map(({ kind, text }, i) => (
                <tr key={i} data-kind={kind}>
                  <td>{numbers[i]}</td>
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
