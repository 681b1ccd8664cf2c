import { infiniteQueryOptions } from '@tanstack/react-query'

/** The envelope of every list: `next_cursor` is empty on the last page. */
export interface Page<T> {
  items: T[]
  next_cursor: string
}

/** Query options of a list that is read page by page; `read` gets `{}` first and then `{ cursor }`. */
export function pagedQuery<P extends Page<unknown>>(
  queryKey: readonly unknown[],
  read: (at: { cursor?: string }, signal: AbortSignal) => Promise<P>,
) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) => read(pageParam ? { cursor: pageParam } : {}, signal),
    initialPageParam: '',
    getNextPageParam: (last) => last.next_cursor || undefined,
  })
}
