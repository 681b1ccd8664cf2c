import { QueryClient, QueryClientProvider, type QueryKey } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { RepoContext } from '../../lib/repo-context.ts'
import type { Repo } from '../../lib/types.ts'

export const address = { type: 'datasets', ns: 'you', name: 'data' } as const
const repo = { ...address, type: 'dataset', full_name: 'you/data', default_branch: 'main' } as Repo
const place = { repo, address }

interface GivenProps {
  /** Answers of the server, by their keys. */
  known: [QueryKey, unknown][]
  children: ReactNode
}

/** What its children ask the server for is known, and they are on the page of a repo. */
export function Given({ known, children }: GivenProps) {
  const [client] = useState(() => {
    const made = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } })
    for (const [key, answer] of known) made.setQueryData(key, answer)
    return made
  })
  return (
    <QueryClientProvider client={client}>
      <RepoContext value={place}>{children}</RepoContext>
    </QueryClientProvider>
  )
}
