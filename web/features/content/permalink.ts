import { useHotkeys } from '@mantine/hooks'
import { useCallback, useEffect, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { pages } from '../../lib/pages.ts'
import { useRepo, useRevPath } from '../../lib/repo-context.ts'
import type { TreeListing } from '../../lib/types.ts'

/**
 * `y` puts the commit in place of the branch, so that the address never changes its meaning.
 * A key that comes before the listing is remembered, and acted on when the commit is known.
 */
export function usePermalink(listing: TreeListing | undefined): void {
  const { repo } = useRepo()
  const { path } = useRevPath()
  const navigate = useNavigate()
  const { hash, pathname } = useLocation()
  const askedAt = useRef<string>(undefined)
  const answer = useCallback(() => {
    if (!listing || askedAt.current !== pathname) return
    askedAt.current = undefined
    const page = listing.kind === 'file' ? pages.blob : pages.tree
    void navigate(page(repo, listing.commit, path) + hash, { replace: true })
  }, [listing, pathname, repo, path, hash, navigate])
  const ask = () => {
    askedAt.current = pathname
    answer()
  }
  useHotkeys([['y', ask]])
  useEffect(answer, [answer])
}
