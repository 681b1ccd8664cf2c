import { ApiProblem } from '../../../shared/client.ts'
import { problemText } from '../../lib/form-errors.ts'
import { askMe } from '../../lib/session.ts'

/** What a person is told whose session has ended. */
export const signedOut =
  'You have been signed out. Sign in again in another tab, then upload here: what was sent is kept.'

/** Why a run stopped. To whoever was signed out in another tab the Repo may look absent, so that it is asked whether they were. */
export async function stopReason(error: unknown): Promise<string> {
  const mayBeSignedOut = error instanceof ApiProblem && [401, 403, 404].includes(error.status)
  try {
    if (mayBeSignedOut && !(await askMe())) return signedOut
  } catch {
    // Then the first failure is what there is to tell.
  }
  return problemText(error)
}
