import { infiniteQueryOptions } from '@tanstack/react-query'
import type { Operations } from '../../../../shared/client.ts'
import { api } from '../../../lib/api.ts'
import { keyOf } from '../../../lib/repo-queries.ts'
import type { RepoAddress } from '../../../lib/types.ts'

export type FileHeader = Operations['getFileHeader']['result']

/** Tensors of one request: some 400 kB, compressed on the way. */
const pageTensors = 5000

/** The header of a file, page by page. */
export const headerQuery = (address: RepoAddress, rev: string, path: string) =>
  infiniteQueryOptions({
    queryKey: [...keyOf(address), 'header', rev, path],
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: pageTensors, ...(pageParam ? { cursor: pageParam } : {}) }
      return api.getFileHeader({ params: { ...address, rev, path }, query }, { signal })
    },
    initialPageParam: '',
    getNextPageParam: (last) => last.next_cursor || undefined,
  })
