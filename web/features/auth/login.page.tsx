import { Suspense } from 'react'
import { Navigate, useLocation, useSearchParams } from 'react-router'
import { localPath } from '../../lib/pages.ts'
import { useMe } from '../../lib/session.ts'
import { PageLoading } from '../../ui/states.tsx'
import SignInCard from './sign-in-card.tsx'

/** `/login`, and `/auth/login?local=1` where the form is shown whatever the settings say. */
export function Component() {
  const [search] = useSearchParams()
  const me = useMe()
  const next = localPath(search.get('next'))
  const isForced = useLocation().pathname === '/auth/login' && search.get('local') === '1'
  if (me) return <Navigate to={next} replace />
  return (
    <Suspense fallback={<PageLoading />}>
      <SignInCard next={next} isForced={isForced} />
    </Suspense>
  )
}
