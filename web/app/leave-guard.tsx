import { lazy, Suspense, useEffect, type ComponentType } from 'react'
import { useBlocker } from 'react-router'
import { hasUnsaved } from '../lib/unsaved.ts'

interface Answers {
  onStay: () => void
  onLeave: () => void
}

/** Asks in the browser's own words, where those of the page cannot be fetched: nobody is kept on a page by that. */
function PlainQuestion({ onStay, onLeave }: Answers) {
  useEffect(() => {
    if (window.confirm('Leave without saving?')) onLeave()
    else onStay()
  }, [onStay, onLeave])
  return null
}

const LeaveDialog = lazy<ComponentType<Answers>>(() =>
  import('./leave-dialog.tsx').catch(() => ({ default: PlainQuestion })),
)

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
