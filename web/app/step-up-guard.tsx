import { Suspense } from 'react'
import { useAskedConfirmation } from '../lib/step-up.ts'
import { late } from '../ui/late.tsx'

const ConfirmPerson = late(() => import('./confirm-person.tsx'))

/** Asks who it is where a change needs a fresh sign-in. */
export function StepUpGuard() {
  const asked = useAskedConfirmation()
  return <Suspense>{asked && <ConfirmPerson onDone={asked.done} onClose={asked.cancelled} />}</Suspense>
}
