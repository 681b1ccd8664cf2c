import { queryOptions } from '@tanstack/react-query'
import { api } from './api.ts'

/** A user or an organisation. */
export const namespaceQuery = (ns: string) =>
  queryOptions({
    queryKey: ['namespace', ns],
    queryFn: ({ signal }) => api.getNamespace({ params: { ns } }, { signal }),
  })
