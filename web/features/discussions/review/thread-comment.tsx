import type { Discussion, DiscussionEvent } from '../../../lib/types.ts'
import { CommentView } from '../comment-view.tsx'
import classes from '../discussions.module.css'
import { threadsOf } from '../thread.ts'
import { Resolved, useIsOpen } from './resolved.tsx'
import { ThreadActions } from './thread-actions.tsx'

interface ThreadCommentProps {
  discussion: Discussion
  event: DiscussionEvent
  /** Whether the address names it. */
  isWanted: boolean
}

/** A review comment among all that was said; folded once its thread is resolved. */
export function ThreadComment({ discussion, event, isWanted }: ThreadCommentProps) {
  const first = threadsOf(discussion).get(event.thread ?? '')
  const isResolved = first?.resolved_at !== undefined
  const [isOpen, setIsOpen] = useIsOpen(isResolved, isWanted)
  const isFirst = first?.id === event.id
  return (
    <>
      {isResolved && <Resolved comments={[event]} isOpen={isOpen} onToggle={() => setIsOpen(!isOpen)} />}
      {isOpen && (
        <div className={isResolved ? classes['unfolded'] : undefined}>
          <CommentView num={discussion.num} event={event}>
            {isFirst && <ThreadActions discussion={discussion} first={first} />}
          </CommentView>
        </div>
      )}
    </>
  )
}
