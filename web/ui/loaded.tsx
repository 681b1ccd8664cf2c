import { Button, Group } from '@mantine/core'
import type { InfiniteData, UseInfiniteQueryResult, UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Page } from '../lib/paging.ts'
import { ErrorState, ListSkeleton } from './states.tsx'
import classes from './ui.module.css'

interface LoadedProps<T> {
  query: UseQueryResult<T>
  skeleton?: ReactNode
  children: (value: T) => ReactNode
}

/** One answer: a skeleton until it is there, the problem when it fails. */
export function Loaded<T>({ query, skeleton, children }: LoadedProps<T>) {
  if (query.data !== undefined) return children(query.data)
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  return skeleton ?? <ListSkeleton />
}

interface PagedProps<T> {
  query: UseInfiniteQueryResult<InfiniteData<Page<T>>>
  /** Shown when the list has no entries. */
  empty: ReactNode
  skeleton?: ReactNode
  children: (entries: T[]) => ReactNode
}

/** A list read page by page, with its skeleton, empty state, error state and the way to more. */
export function Paged<T>({ query, empty, skeleton, children }: PagedProps<T>) {
  const retry = () => void (query.data ? query.fetchNextPage() : query.refetch())
  if (!query.data)
    return query.isError ? <ErrorState error={query.error} onRetry={retry} /> : (skeleton ?? <ListSkeleton />)
  const entries = query.data.pages.flatMap((page) => page.items)
  if (entries.length === 0) return query.isPlaceholderData ? (skeleton ?? <ListSkeleton />) : empty
  return (
    <>
      <div className={classes['entries']} data-former={query.isPlaceholderData || undefined}>
        {children(entries)}
      </div>
      {query.isError && <ErrorState error={query.error} onRetry={retry} />}
      {query.hasNextPage && (
        <Group justify="center" mt="md">
          <Button
            variant="default"
            loading={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            Show more
          </Button>
        </Group>
      )}
    </>
  )
}
