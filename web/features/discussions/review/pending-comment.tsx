import { ActionIcon, Group, Text } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import frame from '../../../ui/ui.module.css'
import { Mark } from '../../../ui/mark.tsx'
import CommentText from '../comment-text.tsx'
import classes from '../discussions.module.css'
import { InlineForm } from '../inline-form.tsx'
import { linesText } from './lines-text.ts'
import type { PendingComment as Comment, PendingReview } from './pending.ts'

interface PendingCommentProps {
  comment: Comment
  review: PendingReview
}

const notSending = { isPending: false, isError: false, error: null }

/** A comment of a review that is not sent yet, below its lines. */
export default function PendingComment({ comment: { id, place, body }, review }: PendingCommentProps) {
  const [isEditing, setIsEditing] = useState(false)
  return (
    <article
      className={`${frame['frame']} ${classes['comment']} ${classes['pending']}`}
      aria-label={`Pending comment on ${linesText(place).toLowerCase()}`}
    >
      <div className={frame['frameHead']}>
        <Text size="sm" component="div" className={classes['said'] ?? ''}>
          Your comment <Mark color="caution">pending</Mark>
          {place.start_line !== undefined && (
            <Text span inherit c="dimmed">
              {' '}
              · {linesText(place)}
            </Text>
          )}
        </Text>
        {!isEditing && (
          <Group gap={4} wrap="nowrap">
            <ActionIcon
              variant="subtle"
              color="gray"
              size={24}
              aria-label="Edit this pending comment"
              onClick={() => setIsEditing(true)}
            >
              <IconPencil size={15} />
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              color="gray"
              size={24}
              aria-label="Delete this pending comment"
              onClick={() => review.remove(id)}
            >
              <IconTrash size={15} />
            </ActionIcon>
          </Group>
        )}
      </div>
      <div className={classes['commentBody']}>
        {isEditing ? (
          <InlineForm
            label="Edit the pending comment"
            action="Save"
            before={body}
            sending={notSending}
            onSend={(text) => {
              review.change(id, { body: text })
              setIsEditing(false)
            }}
            onClose={() => setIsEditing(false)}
          />
        ) : (
          <CommentText key={body} id={id} text={body} />
        )}
      </div>
    </article>
  )
}
