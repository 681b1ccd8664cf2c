import { Button, Group, SegmentedControl } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { notifyProblem } from '../../lib/notify.ts'
import { Paged } from '../../ui/loaded.tsx'
import { Section } from '../../ui/section.tsx'
import { EmptyState } from '../../ui/states.tsx'
import frame from '../../ui/ui.module.css'
import { NotificationRow } from './notification-row.tsx'
import classes from './notifications.module.css'
import { Watched } from './watched.tsx'
import {
  isShowing,
  notificationsQuery,
  unreadQuery,
  useMarkRead,
  useSnooze,
  type Showing,
} from './queries.ts'
import { SnoozeMenu } from './snooze-menu.tsx'

const choices: { value: Showing; label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'unread', label: 'Unread' },
  { value: 'mentions', label: 'Mentions' },
  { value: 'snoozed', label: 'Snoozed' },
]

/** Filters that every new notification matches. */
const matchesNew: ReadonlySet<Showing> = new Set(['all', 'unread'])

/** `/settings/notifications`: what happens in threads that concern the person. */
export function Component() {
  const [search, setSearch] = useSearchParams()
  const named = search.get('show')
  const showing = isShowing(named) ? named : 'all'
  const query = useInfiniteQuery(notificationsQuery(showing))
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const mark = useMarkRead()
  const snooze = useSnooze()
  const done = { onSuccess: () => setChosen(new Set()), onError: notifyProblem }
  const snoozeUntil = (until: Date | null) => snooze.mutate({ ids: [...chosen], until }, done)
  const unread = query.data?.pages[0]?.unread
  const newCount = useNewCount(query.isFetching || !matchesNew.has(showing) ? undefined : unread)
  const list = useRef<HTMLUListElement>(null)
  const showNew = async () => {
    await query.refetch()
    // The button has gone, and the focus with it.
    list.current?.focus({ preventScroll: true })
  }
  const choose = (id: string, isChosen: boolean) =>
    setChosen((now) => (isChosen ? new Set([...now, id]) : new Set([...now].filter((other) => other !== id))))
  return (
    <>
      <Section
        title="Notifications"
        note="Comments that mention you, requests for your review, what follows in threads you wrote in or are assigned to, and what is opened in your repos or happens in those you watch."
        aside={
          <Group gap="xs">
            <SnoozeMenu count={chosen.size} isPending={snooze.isPending} onSnooze={snoozeUntil} />
            {showing === 'snoozed' ? (
              <Button
                size="xs"
                variant="default"
                disabled={chosen.size === 0}
                loading={snooze.isPending}
                onClick={() => snoozeUntil(null)}
              >
                {chosen.size > 0 ? `Bring ${chosen.size} back` : 'Bring back'}
              </Button>
            ) : (
              <Button
                size="xs"
                variant="default"
                disabled={!unread}
                loading={mark.isPending}
                onClick={() => mark.mutate(chosen.size > 0 ? [...chosen] : undefined, done)}
              >
                {chosen.size > 0 ? `Mark ${chosen.size} as read` : 'Mark all as read'}
              </Button>
            )}
          </Group>
        }
      >
        <Group justify="space-between" gap={4}>
          <SegmentedControl
            aria-label="Which notifications"
            size="xs"
            data={choices}
            value={showing}
            onChange={(value) => {
              setChosen(new Set())
              setSearch(value === 'all' ? {} : { show: value }, { replace: true })
            }}
          />
          <div role="status">
            {newCount > 0 && (
              <Button size="compact-xs" variant="light" onClick={() => void showNew()}>
                Show {newCount} new
              </Button>
            )}
          </div>
        </Group>
        <Paged query={query} empty={<None showing={showing} />}>
          {(items) => (
            <ul
              ref={list}
              tabIndex={-1}
              className={`${frame['frame']} ${classes['list']}`}
              aria-label="Notifications"
            >
              {items.map((item) => (
                <NotificationRow
                  key={item.id}
                  item={item}
                  isChosen={chosen.has(item.id)}
                  onChoose={(isChosen) => choose(item.id, isChosen)}
                  onRead={showing === 'snoozed' ? undefined : () => mark.mutate([item.id])}
                />
              ))}
            </ul>
          )}
        </Paged>
      </Section>
      {/* Once what stands above it has its height. */}
      {query.data && <Watched />}
    </>
  )
}

/** How many more are unread by now than the list shows. They are not put into it by themselves: its rows would move while one reads. */
function useNewCount(shown: number | undefined): number {
  const unread = useQuery(unreadQuery).data ?? 0
  return shown === undefined ? 0 : Math.max(0, unread - shown)
}

function None({ showing }: { showing: Showing }) {
  if (showing === 'unread')
    return (
      <EmptyState picture="bell" title="Nothing is unread">
        You have read all of it.
      </EmptyState>
    )
  if (showing === 'mentions')
    return (
      <EmptyState picture="bell" title="No mentions">
        Comments with your @name are shown here.
      </EmptyState>
    )
  if (showing === 'snoozed')
    return (
      <EmptyState picture="bell" title="Nothing is snoozed">
        Choose notifications and press “Snooze”: they wait here, and come back unread.
      </EmptyState>
    )
  return (
    <EmptyState picture="bell" title="No notifications">
      You see here who mentions you, who answers in a thread you wrote in, and what is opened in your repos or
      happens in those you watch.
    </EmptyState>
  )
}
