import { useEffect, useState } from 'react'

/** Dialogs and drawers that are open, each above those before it. */
const open: object[] = []

/** For the style sheet, which keeps the page behind them where it is. */
const markPage = () => document.documentElement.toggleAttribute('data-covered', open.length > 0)

/**
 * Says whether the dialog or drawer that asks is above all others. Escape reaches every one of them, the lowest first, and
 * is meant for the topmost.
 */
export function useTopmost(): () => boolean {
  const [mark] = useState(() => ({}))
  useEffect(() => {
    open.push(mark)
    markPage()
    return () => {
      open.splice(open.indexOf(mark), 1)
      markPage()
    }
  }, [mark])
  return () => open.at(-1) === mark
}
