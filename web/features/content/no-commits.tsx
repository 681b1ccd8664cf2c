import { useLocation } from 'react-router'
import { useAreWaysKnown } from '../../lib/commit-ways.ts'
import { useMe } from '../../lib/session.ts'
import { EmptyState, PageSkeleton, SignInState } from '../../ui/states.tsx'

/** Stands for a form of something to commit where the viewer cannot commit, and until it is known whether they can. */
export function NoCommits({ rev }: { rev: string }) {
  const me = useMe()
  const isKnown = useAreWaysKnown(rev)
  const { pathname, search } = useLocation()
  if (me === null) return <SignInState next={pathname + search} />
  if (!isKnown) return <PageSkeleton />
  return (
    <EmptyState picture="lock" title={`${rev} cannot be changed here`}>
      Commits go to branches and open pull requests, by people who are signed in.
    </EmptyState>
  )
}
