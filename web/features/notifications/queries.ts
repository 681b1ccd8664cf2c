import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { useMutation } from '../../lib/mutation.ts'
import { pagedQuery } from '../../lib/paging.ts'

const askedEveryMs = 60_000

/** How many are unread. */
export const unreadQuery = queryOptions({
  queryKey: ['notifications', 'unread'],
  queryFn: async ({ signal }) => (await api.listNotifications({ query: { limit: 1 } }, { signal })).unread,
  refetchInterval: askedEveryMs,
})

const filters = {
  all: {},
  unread: { unread: 'true' },
  mentions: { reason: 'mention' },
  snoozed: { snoozed: 'true' },
} as const

/** Which notifications a list has. */
export type Showing = keyof typeof filters

export const isShowing = (text: string | null): text is Showing =>
  text !== null && Object.hasOwn(filters, text)

/** What the person is notified of, newest first; of what is put away, what comes back next. */
export const notificationsQuery = (showing: Showing) =>
  pagedQuery(['notifications', 'list', showing], (at, signal) =>
    api.listNotifications({ query: { limit: 50, ...filters[showing], ...at } }, { signal }),
  )

/** Marks these as read, or all. */
export function useMarkRead() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (ids?: string[]) => api.markNotificationsRead({ body: ids ? { ids } : {} }),
    onSettled: () => cache.invalidateQueries({ queryKey: ['notifications'] }),
  })
}

interface Snooze {
  ids: string[]
  /** `null` brings them back at once. */
  until: Date | null
}

/** Puts these away until a moment, or brings them back. */
export function useSnooze() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: ({ ids, until }: Snooze) =>
      api.snoozeNotifications({ body: { ids, until: until && until.toISOString() } }),
    onSettled: () => cache.invalidateQueries({ queryKey: ['notifications'] }),
  })
}
