import { useEffect, useState } from 'react'

/** Dialogs and drawers that are open, each above those before it. */
const open: object[] = []

/**
 * Says whether the dialog or drawer that asks is above all others. Escape reaches every one of them, the lowest first, and
 * is meant for the topmost.
 */
export function useTopmost(): () => boolean {
  const [mark] = useState(() => ({}))
  useEffect(() => {
    open.push(mark)
    return () => void open.splice(open.indexOf(mark), 1)
  }, [mark])
  return () => open.at(-1) === mark
}
