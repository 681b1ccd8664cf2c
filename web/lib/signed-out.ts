import { ApiProblem } from '../../shared/client.ts'
import { createStore } from './store.ts'

/** Why the session has ended, in one sentence, for pages that ask to sign in again; nothing for one who was never signed in. */
export const { set: setSignedOutReason, use: useSignedOutReason } = createStore<string | undefined>(undefined)

/** Notes it where a refusal says that a session was unused for too long. The server says so until its cookie is gone. */
export function noteSignedOut(error: unknown): void {
  if (error instanceof ApiProblem && error.code === 'session-idle') setSignedOutReason(error.detail)
}
