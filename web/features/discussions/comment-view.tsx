import { ActionIcon, Anchor, Group, Text } from '@mantine/core'
import { IconEyeOff, IconPencil } from '@tabler/icons-react'
import { Suspense, useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import { useRepo } from '../../lib/repo-context.ts'
import type { DiscussionEvent } from '../../lib/types.ts'
import { TimeAgo } from '../../ui/facts.tsx'
import { late } from '../../ui/late.tsx'
import { ListSkeleton } from '../../ui/states.tsx'
import frame from '../../ui/ui.module.css'
import CommentText from './comment-text.tsx'
import classes from './discussions.module.css'
import { InlineForm } from './inline-form.tsx'
import { Person } from './person.tsx'
import { Reactions } from './reactions.tsx'
import { linesText } from './review/lines-text.ts'
import { useEditComment } from './queries.ts'
import { useRights } from './rights.ts'

const HideComment = late(() => import('./hide-comment.tsx'))
const PlaceHead = late(() => import('./review/place-head.tsx'))
const SuggestedText = late(() => import('./review/suggested-text.tsx'))

interface CommentViewProps {
  num: number
  event: DiscussionEvent
  /** Whether it stands below the line that it is about. */
  isInDiff?: boolean
  /** What can be done with it and its answers. */
  children?: ReactNode
}

/** What somebody said, with what the viewer may do about it. */
export function CommentView({ num, event, isInDiff = false, children }: CommentViewProps) {
  const [isEditing, setIsEditing] = useState(false)
  const text = event.body ?? ''
  return (
    <article
      className={`${frame['frame']} ${classes['comment']}`}
      id={event.id}
      aria-label={`Comment by ${event.author?.username ?? 'a deleted account'}`}
    >
      <div className={frame['frameHead']}>
        <Text size="sm" component="div" className={classes['said'] ?? ''}>
          <Person author={event.author} hasPicture />{' '}
          <Anchor component={Link} data-row to={`#${event.id}`} c="dimmed" inherit>
            <TimeAgo time={event.created_at} />
          </Anchor>
          {isInDiff && event.place?.start_line !== undefined && (
            <Text span inherit c="dimmed">
              {' '}
              · {linesText(event.place)}
            </Text>
          )}
          <Edited event={event} />
        </Text>
        {!event.hidden && !isEditing && (
          <CommentActions num={num} event={event} onEdit={() => setIsEditing(true)} />
        )}
      </div>
      {event.place && !isInDiff && (
        <Suspense fallback={<ListSkeleton rows={1} />}>
          <PlaceHead num={num} place={event.place} />
        </Suspense>
      )}
      <div className={classes['commentBody']}>
        {event.hidden ? (
          <Text c="dimmed" fs="italic">
            This comment was hidden.
          </Text>
        ) : isEditing ? (
          <EditForm num={num} event={event} onClose={() => setIsEditing(false)} />
        ) : text.trim() ? (
          <Said key={text} num={num} event={event} text={text} />
        ) : (
          <Text c="dimmed" fs="italic">
            No description.
          </Text>
        )}
      </div>
      {!event.hidden && !isEditing && <Reactions num={num} event={event} />}
      {children}
    </article>
  )
}

function Said({ num, event, text }: { num: number; event: DiscussionEvent; text: string }) {
  const plain = <CommentText id={event.id} text={text} />
  if (event.place?.side !== 'new' || !text.includes('suggestion')) return plain
  return (
    <Suspense fallback={plain}>
      <SuggestedText num={num} event={event} place={event.place} text={text} />
    </Suspense>
  )
}

function Edited({ event }: { event: DiscussionEvent }) {
  if (!event.edited_at || event.hidden) return null
  const times = event.edits && event.edits > 1 ? ` ${event.edits} times` : ''
  const by = event.edited_by && event.edited_by !== event.author?.username ? ` by ${event.edited_by}` : ''
  return (
    <Text span inherit c="dimmed">
      {' '}
      · edited{times}
      {by} <TimeAgo time={event.edited_at} />
    </Text>
  )
}

function CommentActions({ num, event, onEdit }: CommentViewProps & { onEdit: () => void }) {
  const { canEdit, canHide } = useRights()
  const [isHiding, setIsHiding] = useState(false)
  return (
    <Group gap={4} wrap="nowrap">
      {canEdit(event) && (
        <ActionIcon variant="subtle" color="gray" size={24} aria-label="Edit this comment" onClick={onEdit}>
          <IconPencil size={15} />
        </ActionIcon>
      )}
      {canHide && (
        <ActionIcon
          variant="subtle"
          color="gray"
          size={24}
          aria-label="Hide this comment"
          onClick={() => setIsHiding(true)}
        >
          <IconEyeOff size={15} />
        </ActionIcon>
      )}
      <Suspense>
        {isHiding && <HideComment num={num} id={event.id} onClose={() => setIsHiding(false)} />}
      </Suspense>
    </Group>
  )
}

function EditForm({ num, event, onClose }: CommentViewProps & { onClose: () => void }) {
  const { address } = useRepo()
  const edit = useEditComment(address, num)
  return (
    <InlineForm
      label="Edit the comment"
      action="Save"
      before={event.body ?? ''}
      sending={edit}
      onSend={(text) => edit.mutate({ id: event.id, text }, { onSuccess: onClose })}
      onClose={onClose}
    />
  )
}
