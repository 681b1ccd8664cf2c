import { Button, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { Operations } from '../../../shared/client.ts'
import { notifyProblem } from '../../lib/notify.ts'
import { pages } from '../../lib/pages.ts'
import { AvatarPicture } from '../../ui/avatar-picture.tsx'
import { TimeAgo } from '../../ui/facts.tsx'
import { Paged } from '../../ui/loaded.tsx'
import { Section } from '../../ui/section.tsx'
import { EmptyState } from '../../ui/states.tsx'
import frame from '../../ui/ui.module.css'
import classes from './notifications.module.css'
import { notificationsQuery, useMarkRead } from './queries.ts'

type Notification = Operations['listNotifications']['result']['items'][number]

/** What somebody did, before the title of the thread. */
function deedOf({ reason, type, to }: Notification): string {
  if (type === 'merge') return 'merged'
  if (type === 'status_change') return to === 'closed' ? 'closed' : 'opened'
  if (reason === 'mention') return 'mentioned you in'
  return reason === 'repo' ? 'opened' : 'commented on'
}

/** `/settings/notifications`: what happens in threads that concern the person. */
export function Component() {
  const query = useInfiniteQuery(notificationsQuery)
  const mark = useMarkRead()
  const hasUnread = (query.data?.pages[0]?.unread ?? 0) > 0
  return (
    <Section
      title="Notifications"
      note="Comments that mention you, what follows in threads you wrote in, and what is opened in your repos."
      aside={
        <Button
          size="xs"
          variant="default"
          disabled={!hasUnread}
          loading={mark.isPending}
          onClick={() => mark.mutate(undefined, { onError: notifyProblem })}
        >
          Mark all as read
        </Button>
      }
    >
      <Paged
        query={query}
        empty={
          <EmptyState title="No notifications">
            You see here who mentions you, who answers in a thread you wrote in, and what is opened in your
            repos.
          </EmptyState>
        }
      >
        {(items) => (
          <ul className={`${frame['frame']} ${classes['list']}`} aria-label="Notifications">
            {items.map((item) => (
              <li key={item.id} className={frame['frameRow']} data-unread={!item.read_at || undefined}>
                <Link
                  className={classes['row']}
                  data-row
                  to={`${pages.discussion(item.repo, item.num)}#${item.id}`}
                  onClick={() => item.read_at ?? mark.mutate([item.id])}
                >
                  <AvatarPicture ns={item.author ?? '-'} size={32} />
                  <span className={classes['text']}>
                    <Text span size="sm" fw={item.read_at ? 400 : 600}>
                      {item.author ?? 'A deleted account'} {deedOf(item)} “{item.title}”
                    </Text>
                    <Text span size="xs" c="dimmed">
                      {item.repo.ns}/{item.repo.name} #{item.num} · <TimeAgo time={item.created_at} />
                    </Text>
                    {item.excerpt && (
                      <Text span size="sm" c="dimmed" lineClamp={2}>
                        {item.excerpt}
                      </Text>
                    )}
                  </span>
                  {!item.read_at && <span className={classes['dot']} role="img" aria-label="unread" />}
                </Link>
              </li>
            ))}
          </ul>
        )}
      </Paged>
    </Section>
  )
}
