import { useHotkeys } from '@mantine/hooks'
import { useLocation, useNavigate } from 'react-router'
import { pages } from '../../lib/pages.ts'
import { useRepo, useRevPath } from '../../lib/repo-context.ts'
import type { TreeListing } from '../../lib/types.ts'

/** `y` puts the commit in place of the branch, so that the address never changes its meaning. */
export function usePermalink(listing: TreeListing | undefined): void {
  const { repo } = useRepo()
  const { path } = useRevPath()
  const navigate = useNavigate()
  const { hash } = useLocation()
  useHotkeys([
    [
      'y',
      () => {
        if (!listing) return
        const page = listing.kind === 'file' ? pages.blob : pages.tree
        void navigate(page(repo, listing.commit, path) + hash, { replace: true })
      },
    ],
  ])
}
