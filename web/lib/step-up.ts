import { ApiProblem } from '../../shared/client.ts'
import { createStore } from './store.ts'

interface Asked {
  /** Says whether the person has confirmed who they are. */
  end: (isDone: boolean) => void
  /** Whether they said so before, and the server has not seen it. */
  isRepeated: boolean
}

/** The confirmation that a change waits for. */
const { set, use } = createStore<Asked | undefined>(undefined)

export const useAskedConfirmation = use

let pending: Promise<boolean> | undefined

/** Has the person confirm who they are, in a dialog; answers whether they did. Those who ask meanwhile wait for the same. */
function confirmPerson(isRepeated: boolean): Promise<boolean> {
  pending ??= new Promise<boolean>((end) => set({ end, isRepeated })).finally(() => {
    pending = undefined
    set(undefined)
  })
  return pending
}

/**
 * Runs a change; where the server wants a fresh sign-in, has the person confirm who they are and repeats it, until it passes
 * or they turn the dialog down.
 */
export async function withFreshSignIn<T>(change: () => Promise<T>, isRepeated = false): Promise<T> {
  try {
    return await change()
  } catch (error) {
    const isStale = error instanceof ApiProblem && error.code === 'fresh-sign-in-required'
    if (!isStale || !(await confirmPerson(isRepeated))) throw error
    return withFreshSignIn(change, true)
  }
}
