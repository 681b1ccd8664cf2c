import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Operations } from '../../shared/client.ts'
import { api } from './api.ts'

export type Look = Operations['getLook']['result']

/** How the server looks. The page brings it along, and a page that stays open hears of changes. */
export const lookQuery = queryOptions({
  queryKey: ['look'],
  queryFn: ({ signal }) => api.getLook({}, { signal }),
  initialData: written,
  staleTime: 60_000,
  refetchOnWindowFocus: true,
})

/** What the server wrote into the page; nothing where it is drawn. */
function written(): Look | undefined {
  const text = globalThis.document?.getElementById('look')?.textContent
  return text ? (JSON.parse(text) as Look) : undefined
}

/** The look, and that of Arsenal while it is not known. */
export const useLook = (): Look => useQuery(lookQuery).data ?? {}

/** What the server is called. */
export const useSiteName = (): string => useLook().name ?? 'Arsenal'
