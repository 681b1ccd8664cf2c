import { useCallback, useEffect, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { pages } from '../../lib/pages.ts'
import { useRepo, useRevPath } from '../../lib/repo-context.ts'
import { useSingleKeys } from '../../lib/single-keys.ts'
import type { TreeListing } from '../../lib/types.ts'

/**
 * `y` puts the commit in place of the branch, so that the address never changes its meaning.
 * A key that comes before the listing is remembered until the commit is known. It is for the address in the bar:
 * the router changes that first, and renders the new page in a transition, during which this hook still has
 * the old one.
 */
export function usePermalink(
  listing: TreeListing | undefined,
  view: 'tree' | 'blob' | 'blame' = 'tree',
): void {
  const { repo } = useRepo()
  const { path } = useRevPath()
  const navigate = useNavigate()
  const { hash, pathname } = useLocation()
  const shown = new URL(pathname, window.location.origin).pathname
  const askedAt = useRef<string>(undefined)
  const answer = useCallback(() => {
    if (!listing || askedAt.current !== shown) return
    askedAt.current = undefined
    void navigate(pages[view](repo, listing.commit, path) + hash, { replace: true })
  }, [listing, view, shown, repo, path, hash, navigate])
  const ask = () => {
    askedAt.current = window.location.pathname
    answer()
  }
  useSingleKeys([['y', ask]])
  useEffect(answer, [answer])
}
