import { Button } from '@mantine/core'
import { Fragment, useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import type { Discussion } from '../../lib/types.ts'
import { CommentView } from './comment-view.tsx'
import classes from './discussions.module.css'
import { EventLine } from './event-line.tsx'
import { ThreadComment } from './review/thread-comment.tsx'

/** Entries at the end of a thread that are shown at once, and how many more each asking brings. */
const shownAtOnce = 100

/** A thread from its beginning; what lies in the middle of a long one is shown when it is asked for. */
export function Timeline({ discussion }: { discussion: Discussion }) {
  const { num, events = [] } = discussion
  const wanted = useLocation().hash.slice(1)
  const [count, setCount] = useState(shownAtOnce)
  const place = events.findIndex((event) => event.id === wanted)
  const from = Math.max(1, Math.min(events.length - count, place < 0 ? Infinity : place))
  useAnchor(wanted, place >= 0)
  return (
    <ol className={classes['timeline']} aria-label="Thread">
      {events.map((event, i) =>
        i > 0 && i < from ? null : (
          <Fragment key={event.id}>
            <li
              data-target={event.id === wanted || undefined}
              data-of-review={event.review !== undefined || undefined}
            >
              {event.type !== 'comment' ? (
                <EventLine event={event} />
              ) : event.place ? (
                <ThreadComment discussion={discussion} event={event} isWanted={event.id === wanted} />
              ) : (
                <CommentView num={num} event={event} />
              )}
            </li>
            {i === 0 && from > 1 && (
              <li>
                <Button variant="default" fullWidth onClick={() => setCount(count + shownAtOnce)}>
                  Show {Math.min(shownAtOnce, from - 1)} of {from - 1} entries between
                </Button>
              </li>
            )}
          </Fragment>
        ),
      )}
    </ol>
  )
}

/** Goes to the entry that the address names, once it is there. */
function useAnchor(id: string, isThere: boolean): void {
  useEffect(() => {
    if (isThere) document.getElementById(id)?.scrollIntoView({ block: 'center' })
  }, [id, isThere])
}
