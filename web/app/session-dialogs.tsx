import { useLapsed } from '../lib/session.ts'
import { useAskedConfirmation } from '../lib/step-up.ts'
import { ConfirmPerson } from './confirm-person.tsx'
import { SignInAgain } from './sign-in-again.tsx'

/** The dialogs of a session; one file, since each that is fetched on its own makes every first view larger. */
export default function SessionDialogs() {
  const isLapsed = useLapsed()
  const asked = useAskedConfirmation()
  return (
    <>
      {isLapsed && <SignInAgain />}
      {asked && <ConfirmPerson isRepeated={asked.isRepeated} onEnd={asked.end} />}
    </>
  )
}
