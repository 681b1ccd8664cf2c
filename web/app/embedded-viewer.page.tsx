import { Box } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useParams } from 'react-router'
import { EmbeddedViewer } from '../features/datasets/embedded.tsx'
import { repoQuery } from '../features/repos/queries.ts'
import { RepoContext } from '../lib/repo-context.ts'
import type { RepoAddress } from '../lib/types.ts'
import { Loaded } from '../ui/loaded.tsx'
import { PageSkeleton } from '../ui/states.tsx'

/** `…/embed/viewer/{config}/{split}`: the rows of a dataset as part of another page. */
export function Component() {
  const { ns = '', name = '' } = useParams()
  const address: RepoAddress = useMemo(() => ({ type: 'datasets', ns, name }), [ns, name])
  const query = useQuery(repoQuery(address))
  return (
    <Box component="main" p="xs" mih="100dvh" display="grid">
      <Loaded query={query} skeleton={<PageSkeleton />}>
        {(repo) => (
          <RepoContext value={{ repo, address }}>
            <EmbeddedViewer />
          </RepoContext>
        )}
      </Loaded>
    </Box>
  )
}
