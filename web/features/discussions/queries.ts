import { hashKey, useQueryClient, type InfiniteData } from '@tanstack/react-query'
import type { Operations } from '../../../shared/client.ts'
import type { Reaction } from '../../../shared/vocabulary.ts'
import { api } from '../../lib/api.ts'
import { useMutation } from '../../lib/mutation.ts'
import { notifyProblem } from '../../lib/notify.ts'
import { pagedQuery } from '../../lib/paging.ts'
import { discussionQuery, keyOf } from '../../lib/repo-queries.ts'
import type { Discussion, RepoAddress } from '../../lib/types.ts'

export type DiscussionFilter = Pick<
  NonNullable<Operations['listDiscussions']['args']['query']>,
  'kind' | 'status' | 'author' | 'label' | 'assignee' | 'q'
>
export type DiscussionPage = Operations['listDiscussions']['result']
type DiscussionUpdate = Operations['updateDiscussion']['args']['body']

/** Discussions in a page of the list. */
const pageSize = 30

export const listsKey = (address: RepoAddress) => [...keyOf(address), 'discussions'] as const

export const discussionsQuery = (address: RepoAddress, filter: DiscussionFilter) => ({
  ...pagedQuery([...listsKey(address), filter], (at, signal) =>
    api.listDiscussions({ params: address, query: { ...filter, limit: pageSize, ...at } }, { signal }),
  ),
  // The list stays while it is narrowed; that of another repo does not.
  placeholderData: (
    before: InfiniteData<DiscussionPage, string> | undefined,
    query: { queryKey: readonly unknown[] } | undefined,
  ) => (hashKey(query?.queryKey.slice(0, -1) ?? []) === hashKey(listsKey(address)) ? before : undefined),
})

/** What a change waits for; a refused one is reported at once, since an unreachable server answers nothing else either. */
export const unlessRefused = (error: Error | null, asked: Promise<unknown>) => (error ? undefined : asked)

/** Mutes a thread for the person, or has them hear of it again. */
export const useMute = (address: RepoAddress, num: number) =>
  useThreadChange(address, num, (isMuted: boolean) => {
    const params = { params: { ...address, num } }
    return isMuted ? api.muteDiscussion(params) : api.unmuteDiscussion(params)
  })

/** A change of a thread: both it and the lists are asked again before the change counts as done. */
function useThreadChange<T, R>(address: RepoAddress, num: number, mutationFn: (input: T) => Promise<R>) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn,
    onSettled: (_done, error) => {
      const asked = Promise.all([
        cache.invalidateQueries({ queryKey: discussionQuery(address, num).queryKey }),
        cache.invalidateQueries({ queryKey: listsKey(address) }),
        // What the first page lists.
        cache.invalidateQueries({ queryKey: ['review-requests'] }),
      ])
      return unlessRefused(error, asked)
    },
  })
}

export const useUpdateDiscussion = (address: RepoAddress, num: number) =>
  useThreadChange(address, num, (body: DiscussionUpdate) =>
    api.updateDiscussion({ params: { ...address, num }, body }),
  )

/** What is said, and what becomes of the discussion with it. */
interface Said {
  text: string
  status?: 'open' | 'closed'
  /** Called once it is said, even if the status stays as it was. */
  onSaid: () => void
}

/** Says something, changes the status, or both in this order. */
export const useSay = (address: RepoAddress, num: number) =>
  useThreadChange(address, num, async ({ text, status, onSaid }: Said) => {
    const params = { ...address, num }
    if (text.trim()) await api.createComment({ params, body: { body: text } })
    onSaid()
    if (status) await api.updateDiscussion({ params, body: { status } })
  })

export const useEditComment = (address: RepoAddress, num: number) =>
  useThreadChange(address, num, ({ id, text }: { id: string; text: string }) =>
    api.editComment({ params: { ...address, num, id }, body: { body: text } }),
  )

export const useHideComment = (address: RepoAddress, num: number) =>
  useThreadChange(address, num, (id: string) => api.hideComment({ params: { ...address, num, id } }))

/** Adds or takes back a reaction; the thread shows what the server answers. */
export function useReact(address: RepoAddress, num: number) {
  const cache = useQueryClient()
  const { queryKey } = discussionQuery(address, num)
  return useMutation({
    mutationFn: ({ id, reaction, isWanted }: { id: string; reaction: Reaction; isWanted: boolean }) => {
      const params = { ...address, num, id, reaction }
      return isWanted ? api.addReaction({ params }) : api.removeReaction({ params })
    },
    onSuccess: ({ items }, { id }) =>
      cache.setQueryData(queryKey, (thread: Discussion | undefined) =>
        thread?.events
          ? {
              ...thread,
              events: thread.events.map((event) =>
                event.id === id ? { ...event, reactions: items } : event,
              ),
            }
          : thread,
      ),
    onError: notifyProblem,
  })
}

/** Resolves the thread of a review comment, or reopens it. */
export const useResolve = (address: RepoAddress, num: number) =>
  useThreadChange(address, num, ({ id, isWanted }: { id: string; isWanted: boolean }) => {
    const params = { ...address, num, id }
    return isWanted ? api.resolveThread({ params }) : api.reopenThread({ params })
  })

/** Where a comment on a line of a diff stands. */
export type WantedPlace = NonNullable<Operations['createComment']['args']['body']['place']>

/** Comments on a line of a pull request's diff. */
export const useReview = (address: RepoAddress, num: number) =>
  useThreadChange(address, num, (body: { body: string; place: WantedPlace }) =>
    api.createComment({ params: { ...address, num }, body }),
  )

/** Sends a review: its verdict and all its comments. */
export const useSendReview = (address: RepoAddress, num: number) =>
  useThreadChange(address, num, (body: Operations['createReview']['args']['body']) =>
    api.createReview({ params: { ...address, num }, body }),
  )

/** Asks a person for a review, or takes that back. */
export const useRequestReview = (address: RepoAddress, num: number) =>
  useThreadChange(address, num, ({ user, isWanted }: { user: string; isWanted: boolean }) => {
    const params = { params: { ...address, num, user } }
    return isWanted ? api.requestReview(params) : api.withdrawReviewRequest(params)
  })
