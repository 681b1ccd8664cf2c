import { useLocation } from 'react-router'
import { useMe } from '../../lib/session.ts'
import { EmptyState, SignInState } from '../../ui/states.tsx'

/** Stands for a form of something to commit where the viewer cannot commit. */
export function NoCommits({ rev }: { rev: string }) {
  const me = useMe()
  const { pathname, search } = useLocation()
  if (me === null) return <SignInState next={pathname + search} />
  return (
    <EmptyState title={`${rev} cannot be changed here`}>
      Commits go to branches and open pull requests, by people who are signed in.
    </EmptyState>
  )
}
