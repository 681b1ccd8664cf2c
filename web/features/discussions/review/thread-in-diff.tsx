import { Button, Stack } from '@mantine/core'
import type { Discussion, DiscussionEvent } from '../../../lib/types.ts'
import { CommentView } from '../comment-view.tsx'
import classes from '../discussions.module.css'
import { useRights } from '../rights.ts'
import { Resolved, useIsOpen } from './resolved.tsx'
import { ThreadActions } from './thread-actions.tsx'

interface ThreadInDiffProps {
  discussion: Discussion
  first: DiscussionEvent
  comments: DiscussionEvent[]
  onAnswer: () => void
}

/** A comment on lines of a diff with its answers, below the last of the lines; folded once it is resolved. */
export function ThreadInDiff({ discussion, first, comments, onAnswer }: ThreadInDiffProps) {
  const { canSpeak } = useRights()
  const isResolved = first.resolved_at !== undefined
  const [isOpen, setIsOpen] = useIsOpen(isResolved)
  const last = comments.at(-1)
  return (
    <Stack gap="xs">
      {isResolved && <Resolved comments={comments} isOpen={isOpen} onToggle={() => setIsOpen(!isOpen)} />}
      {isOpen && (
        <Stack gap="xs" {...(isResolved && { className: classes['unfolded'] ?? '' })}>
          {comments.map((event) => (
            <CommentView key={event.id} num={discussion.num} event={event} isInDiff>
              {event === last && (
                <ThreadActions discussion={discussion} first={first}>
                  {canSpeak && !isResolved && (
                    <Button size="compact-xs" variant="default" onClick={onAnswer}>
                      Answer
                    </Button>
                  )}
                </ThreadActions>
              )}
            </CommentView>
          ))}
        </Stack>
      )}
    </Stack>
  )
}
