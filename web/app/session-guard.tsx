import { Suspense } from 'react'
import { useLapsed } from '../lib/session.ts'
import { late } from '../ui/late.tsx'

const SignInAgain = late(() => import('./sign-in-again.tsx'))

/** Asks whoever was signed out under a text that they have not saved to sign in again; the text stays. */
export function SessionGuard() {
  return <Suspense>{useLapsed() && <SignInAgain />}</Suspense>
}
