import { useCallback, useLayoutEffect, useState } from 'react'

/** What stands on the page and would be lost by leaving it. A router takes one blocker alone, so all are kept here. */
const unsaved = new Set<object>()

/** How many texts, or what else was begun, leaving the page would lose. */
export const countUnsaved = (): number => unsaved.size

/** Whether leaving the page would lose a text. */
export const hasUnsaved = (): boolean => unsaved.size > 0

/**
 * Has a person asked before they leave the page, or close it, while `isUnsaved`. Answers what to call once it is saved,
 * before going elsewhere: the form itself learns of that too late.
 */
export function useUnsaved(isUnsaved: boolean): () => void {
  const [mark] = useState(() => ({}))
  // Before the next paint: a press that follows at once must not find a text that was sent.
  useLayoutEffect(() => {
    if (!isUnsaved) return
    const ask = (event: BeforeUnloadEvent) => {
      if (unsaved.has(mark)) event.preventDefault()
    }
    unsaved.add(mark)
    // Only while there is something to lose: browsers do not keep a page for the way back that listens for this.
    window.addEventListener('beforeunload', ask)
    return () => {
      unsaved.delete(mark)
      window.removeEventListener('beforeunload', ask)
    }
  }, [isUnsaved, mark])
  return useCallback(() => void unsaved.delete(mark), [mark])
}
