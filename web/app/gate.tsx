import { useQuery } from '@tanstack/react-query'
import { Suspense, type ReactNode } from 'react'
import { useLocation } from 'react-router'
import { useMe } from '../lib/session.ts'
import { providersQuery } from '../lib/sign-in.ts'
import { late } from '../ui/late.tsx'
import { PageLoading } from '../ui/states.tsx'

const SignInCard = late(() => import('../features/auth/sign-in-card.tsx'))

/** What is there for people who have no account, or not yet. */
const isOpen = (pathname: string) =>
  /^\/(login|auth|register|links|device|problems|docs)(\/|$)/.test(pathname)

/** Whether a visitor sees nothing here before they sign in. */
export function useIsClosed(): boolean {
  const me = useMe()
  const { pathname } = useLocation()
  const { data } = useQuery({ ...providersQuery, enabled: me === null })
  return me === null && data?.anonymous_read === false && !isOpen(pathname)
}

/** The page; one sign-in card in its place for visitors of a server that shows its content to people with an account. */
export function Gate({ children }: { children: ReactNode }) {
  const { pathname, search } = useLocation()
  if (!useIsClosed()) return children
  return (
    <Suspense fallback={<PageLoading />}>
      <SignInCard next={pathname + search} />
    </Suspense>
  )
}
