import { useDeferredValue, useEffect, useState } from 'react'

/**
 * A menu whose code is fetched by the press that opens it. `isOpen` is what was pressed last, `isDrawn` whether the menu is
 * to be drawn, and `hasCome` whether it ever was: until then something plain stands for it, in the frame that follows the
 * press. Escape closes it from the
 * press on, wherever the focus is: it moves into the menu some time after that is drawn.
 */
export function useOpening() {
  const [isOpen, setIsOpen] = useState(false)
  const [hasCome, setHasCome] = useState(false)
  const isDrawn = useDeferredValue(isOpen)
  if (isDrawn && !hasCome) setHasCome(true)
  useEffect(() => {
    if (!isOpen) return undefined
    const onKey = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') setIsOpen(false)
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [isOpen])
  return { isOpen, setIsOpen, isDrawn: isOpen && isDrawn, hasCome }
}

/** Fetches code that a press may need, once the browser is at rest: to ask for twenty files takes as long as a press. */
export function fetchAtRest(load: () => Promise<unknown>): void {
  // Safari has none.
  const atRest = window.requestIdleCallback as typeof window.requestIdleCallback | undefined
  if (atRest) atRest(() => void load().catch(() => {}))
  else void load().catch(() => {})
}
