import { Checkbox, Text } from '@mantine/core'
import { Link } from 'react-router'
import type { Operations } from '../../../shared/client.ts'
import { pages } from '../../lib/pages.ts'
import { AvatarPicture } from '../../ui/avatar-picture.tsx'
import { TimeAgo } from '../../ui/facts.tsx'
import frame from '../../ui/ui.module.css'
import classes from './notifications.module.css'

export type Notification = Operations['listNotifications']['result']['items'][number]

const verdicts = { approve: 'approved', request_changes: 'requested changes to', comment: 'reviewed' }

/** What somebody did, before the title of the thread. */
function deedOf({ reason, type, to, verdict }: Notification): string {
  if (type === 'review_request') return 'asked for your review of'
  if (type === 'assignee_change') return 'assigned you to'
  if (type === 'merge') return 'merged'
  if (type === 'status_change' && to === 'draft') return 'made a draft of'
  if (type === 'status_change') return to === 'closed' ? 'closed' : 'opened'
  if (reason === 'mention') return 'mentioned you in'
  if (type === 'review') return verdicts[verdict ?? 'comment']
  if (reason === 'watching') return 'wrote in'
  return reason === 'repo' ? 'opened' : 'commented on'
}

interface NotificationRowProps {
  item: Notification
  isChosen: boolean
  onChoose: (isChosen: boolean) => void
  /** Unless it is put away. */
  onRead?: (() => void) | undefined
}

/** A notification: what leads to its entry, and beside it what chooses it. */
export function NotificationRow({ item, isChosen, onChoose, onRead }: NotificationRowProps) {
  const deed = `${item.author ?? 'A deleted account'} ${deedOf(item)} “${item.title}”`
  const isUnread = !item.read_at && onRead !== undefined
  return (
    <li className={`${frame['frameRow']} ${classes['item']}`} data-unread={isUnread || undefined}>
      <Checkbox
        size="xs"
        aria-label={`Choose: ${deed}`}
        checked={isChosen}
        onChange={(event) => onChoose(event.currentTarget.checked)}
      />
      <Link
        className={classes['row']}
        data-row
        to={`${pages.discussion(item.repo, item.num)}#${item.id}`}
        onClick={() => isUnread && onRead()}
      >
        <AvatarPicture ns={item.author ?? '-'} size={32} />
        <span className={classes['text']}>
          <Text span size="sm" fw={isUnread ? 600 : 400}>
            {deed}
          </Text>
          <Text span size="xs" c="dimmed">
            {item.repo.ns}/{item.repo.name} #{item.num} · <TimeAgo time={item.created_at} />
            {item.snoozed_until && (
              <>
                {' '}
                · back <TimeAgo time={item.snoozed_until} />
              </>
            )}
          </Text>
          {item.excerpt && (
            <Text span size="sm" c="dimmed" lineClamp={2}>
              {item.excerpt}
            </Text>
          )}
        </span>
        {isUnread && <span className={classes['dot']} role="img" aria-label="unread" />}
      </Link>
    </li>
  )
}
