import { useSyncExternalStore } from 'react'
import { ApiProblem } from '../../shared/client.ts'

let reason: string | undefined
const listeners = new Set<() => void>()

/** Keeps why a session has ended, for the page that asks to sign in again; `undefined` once somebody has. */
export function setSignedOutReason(next: string | undefined): void {
  if (next === reason) return
  reason = next
  for (const listener of listeners) listener()
}

/** Notes it where a refusal says that a session was unused for too long. The server says so until its cookie is gone. */
export function noteSignedOut(error: unknown): void {
  if (error instanceof ApiProblem && error.code === 'session-idle') setSignedOutReason(error.detail)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Why the session has ended, in one sentence; nothing for one who was never signed in. */
export const useSignedOutReason = (): string | undefined => useSyncExternalStore(subscribe, () => reason)
