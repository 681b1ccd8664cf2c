import { Suspense } from 'react'
import { useLapsed } from '../lib/session.ts'
import { late } from '../ui/late.tsx'

const SignInAgain = late(() => import('./sign-in-again.tsx'))

/** Asks people who were signed out with an unsaved text to sign in again; the text stays. */
export function SessionGuard() {
  return <Suspense>{useLapsed() && <SignInAgain />}</Suspense>
}
