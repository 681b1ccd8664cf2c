import { ApiProblem } from '../../shared/client.ts'
import { createStore } from './store.ts'

/** The confirmation that a change waits for: says whether the person has confirmed who they are. */
const { set, use } = createStore<((isDone: boolean) => void) | undefined>(undefined)

export const useAskedConfirmation = use

let pending: Promise<boolean> | undefined

/** Has the person confirm who they are, in a dialog; answers whether they did. Those who ask meanwhile wait for the same. */
function confirmPerson(): Promise<boolean> {
  pending ??= new Promise<boolean>(set).finally(() => {
    pending = undefined
    set(undefined)
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
