import { lazy, Suspense } from 'react'
import { useBlocker } from 'react-router'
import { hasUnsaved } from '../lib/unsaved.ts'

const LeaveDialog = lazy(() => import('./leave-dialog.tsx'))

/** Asks before another page takes the place of one that holds a text nobody has saved. */
export function LeaveGuard() {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname && hasUnsaved(),
  )
  if (blocker.state !== 'blocked') return null
  return (
    <Suspense>
      <LeaveDialog onStay={blocker.reset} onLeave={blocker.proceed} />
    </Suspense>
  )
}
