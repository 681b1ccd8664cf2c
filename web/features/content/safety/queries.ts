import { queryOptions } from '@tanstack/react-query'
import type { Operations } from '../../../../shared/client.ts'
import { api } from '../../../lib/api.ts'
import { keyOf } from '../../../lib/repo-queries.ts'
import type { RepoAddress } from '../../../lib/types.ts'

export type FileScan = Operations['getFileScan']['result']
export type RepoScan = Operations['getRepoScan']['result']

const pendingMs = 2500

/** What the scan found in a file; asked again while a job looks at the repo. */
export const fileScanQuery = (address: RepoAddress, rev: string, path: string) =>
  queryOptions({
    queryKey: [...keyOf(address), 'scan', rev, path],
    queryFn: ({ signal }) => api.getFileScan({ params: { ...address, rev, path } }, { signal }),
    refetchInterval: ({ state }) => (state.data?.job ? pendingMs : false),
  })

/** Files of the default branch that are not safe. */
export const repoScanQuery = (address: RepoAddress) =>
  queryOptions({
    queryKey: [...keyOf(address), 'repo-scan'],
    queryFn: ({ signal }) => api.getRepoScan({ params: address }, { signal }),
  })
