import { useQueries, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { ViewerPage, ViewerRow } from '../../../shared/viewer.ts'

/** Rows of one request; every server answers them aligned. */
export const blockRows = 100
/** Blocks kept at most: at 1 MB each they still fit into the memory of a phone. */
const keptBlocks = 50
/** Rows beyond those in sight that are fetched with them. */
const rowsAround = 40
/** A scroll that goes on is not followed: each position would begin and abort a request. */
const restMs = 70

/** Where rows come from. */
export interface RowSource {
  /** What the rows depend on; another key means other rows. */
  key: readonly unknown[]
  read: (offset: number, signal: AbortSignal) => Promise<ViewerPage>
  retry?: (tries: number, error: unknown) => boolean
}

export interface Rows {
  /** The answer of the first block that was asked for: columns and counts. */
  first: ViewerPage | undefined
  rowAt: (index: number) => ViewerRow | undefined
  /** The answer that holds a row, once it has come. */
  pageAt: (index: number) => ViewerPage | undefined
  /** Asks for rows that are in sight, and aborts what has gone out of sight. */
  want: (from: number, to: number) => void
  isLoading: boolean
  error: unknown
  retry: () => void
}

/** The blocks that cover rows, from and to included. */
export const blocksOf = (from: number, to: number): number[] => {
  const first = Math.floor(Math.max(0, from) / blockRows)
  const last = Math.floor(Math.max(0, to) / blockRows)
  return Array.from({ length: last - first + 1 }, (_, i) => first + i)
}

/** Drops the oldest blocks that nothing shows. */
export function trimBlocks(cache: QueryClient, key: readonly unknown[]): void {
  const idle = cache
    .getQueryCache()
    .findAll({ queryKey: [...key, 'block'], type: 'inactive' })
    .sort((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt)
  for (const query of idle.slice(keptBlocks)) cache.getQueryCache().remove(query)
}

/** Rows by their index, fetched in aligned blocks around what is in sight. `start` is the row to begin at. */
export function useBlocks(source: RowSource, start: number): Rows {
  const cache = useQueryClient()
  const keyText = JSON.stringify(source.key)
  const [startOf] = useState(() => new Map<string, number>())
  if (!startOf.has(keyText)) startOf.set(keyText, start)
  const begin = startOf.get(keyText) ?? 0
  const [range, setRange] = useState({ keyText, from: begin, to: begin })
  const shown = range.keyText === keyText ? range : { keyText, from: begin, to: begin }
  const options = (block: number) => ({
    queryKey: [...source.key, 'block', block],
    queryFn: ({ signal }: { signal: AbortSignal }) => source.read(block * blockRows, signal),
    staleTime: Infinity,
    ...(source.retry ? { retry: source.retry, retryDelay: 2000 } : {}),
  })
  const head = useQuery(options(Math.floor(begin / blockRows)))
  const total = head.data?.num_rows_total ?? 0
  const blocks = blocksOf(
    shown.from - rowsAround,
    Math.min(shown.to + rowsAround, Math.max(shown.from, total - 1)),
  )
  const results = useQueries({ queries: blocks.map(options) })
  const failed = results.find(({ isError }) => isError) ?? (head.isError ? head : undefined)
  useEffect(() => trimBlocks(cache, source.key))

  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const want = useCallback(
    (from: number, to: number) => {
      clearTimeout(timer.current)
      timer.current = setTimeout(() => setRange({ keyText, from, to }), restMs)
    },
    [keyText],
  )
  const loaded = results.map(({ dataUpdatedAt }) => dataUpdatedAt).join()
  const pageAt = useMemo(() => {
    const key = JSON.parse(keyText) as unknown[]
    return (index: number) => cache.getQueryData<ViewerPage>([...key, 'block', Math.floor(index / blockRows)])
    // The rows that have come are new to those who have drawn without them.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [cache, keyText, loaded])
  const rowAt = useCallback((index: number) => pageAt(index)?.rows[index % blockRows], [pageAt])
  return {
    first: head.data,
    rowAt,
    pageAt,
    want,
    isLoading: results.some(({ isFetching }) => isFetching),
    error: failed?.error ?? undefined,
    retry: () => void failed?.refetch(),
  }
}
