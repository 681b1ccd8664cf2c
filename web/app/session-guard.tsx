import { Suspense } from 'react'
import { useLapsed } from '../lib/session.ts'
import { useAskedConfirmation } from '../lib/step-up.ts'
import { late } from '../ui/late.tsx'

const SessionDialogs = late(() => import('./session-dialogs.tsx'))

/**
 * Asks people who were signed out with an unsaved text to sign in again; the text stays. Asks who it is where a change needs
 * a fresh sign-in.
 */
export function SessionGuard() {
  const isLapsed = useLapsed()
  const isAsked = useAskedConfirmation()
  return <Suspense>{(isLapsed || isAsked) && <SessionDialogs />}</Suspense>
}
