import { useSyncExternalStore } from 'react'
import { ApiProblem } from '../../shared/client.ts'

interface Asked {
  done: () => void
  cancelled: () => void
}

let asked: Asked | undefined
let pending: Promise<boolean> | undefined
const listeners = new Set<() => void>()

function show(next: Asked | undefined): void {
  asked = next
  for (const listener of listeners) listener()
}

/** Has the person confirm who they are, in a dialog; answers whether they did. Those who ask meanwhile wait for the same. */
function confirmPerson(): Promise<boolean> {
  pending ??= new Promise<boolean>((resolve) => {
    show({ done: () => resolve(true), cancelled: () => resolve(false) })
  }).finally(() => {
    pending = undefined
    show(undefined)
  })
  return pending
}

/** Runs a change; where the server wants a fresh sign-in, has the person confirm who they are and repeats it once. */
export async function withFreshSignIn<T>(change: () => Promise<T>): Promise<T> {
  try {
    return await change()
  } catch (error) {
    const isStale = error instanceof ApiProblem && error.code === 'fresh-sign-in-required'
    if (!isStale || !(await confirmPerson())) throw error
    return change()
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The confirmation that a change waits for. */
export const useAskedConfirmation = (): Asked | undefined => useSyncExternalStore(subscribe, () => asked)
