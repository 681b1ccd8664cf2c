import { ApiProblem } from '../../../shared/client.ts'
import { problemText } from '../../lib/form-errors.ts'
import { askMe } from '../../lib/session.ts'

/** The message for a person whose session has ended. */
export const signedOut =
  'You have been signed out. Sign in again in another tab, then upload here: what was sent is kept.'

/** Why a run stopped. To someone signed out in another tab the repo may look absent, so this checks for that. */
export async function stopReason(error: unknown): Promise<string> {
  const mayBeSignedOut = error instanceof ApiProblem && [401, 403, 404].includes(error.status)
  try {
    if (mayBeSignedOut && !(await askMe())) return signedOut
  } catch {
    // Then the first failure is what there is to tell.
  }
  return problemText(error)
}
