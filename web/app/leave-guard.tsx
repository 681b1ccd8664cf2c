import { Suspense, useEffect } from 'react'
import { useBlocker } from 'react-router'
import { hasUnsaved } from '../lib/unsaved.ts'
import { late } from '../ui/late.tsx'

interface Answers {
  onStay: () => void
  onLeave: () => void
}

/** Asks in the browser's own words, where the page cannot load its own: a failed load must not keep people on a page. */
function PlainQuestion({ onStay, onLeave }: Answers) {
  useEffect(() => {
    if (window.confirm('Leave without saving?')) onLeave()
    else onStay()
  }, [onStay, onLeave])
  return null
}

const LeaveDialog = late(() => import('./leave-dialog.tsx'), PlainQuestion)

/** Asks before another page replaces one with an unsaved text. */
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
