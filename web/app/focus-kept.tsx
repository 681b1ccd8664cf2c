import { useEffect } from 'react'

const focusable =
  'a[href], button:not(:disabled), input:not(:disabled, [type=hidden]), select:not(:disabled), textarea:not(:disabled)'

/**
 * Keeps the reading position when what has the focus goes away: a row that is deleted, a form that closes, a button that is
 * switched off while its request is under way. It goes to what follows, else to what stands before, and back to the button;
 * within what `data-keeps-focus` marks it goes to that, whose parts come and go as one scrolls.
 */
export function FocusKept() {
  useEffect(() => {
    const main = document.getElementById('main')
    if (!main) return
    let last: Element | null = null
    const remember = () => (last = main.contains(document.activeElement) ? document.activeElement : null)
    const observer = new MutationObserver((changes) => {
      if (last === null || last === main || !isLost()) return
      if (last.isConnected) return last.matches(':disabled') ? undefined : focus(last)
      const change = changes.find(({ removedNodes }) => [...removedNodes].some((node) => node.contains(last)))
      if (change) focus(besides(change, main))
    })
    observer.observe(main, { childList: true, subtree: true, attributeFilter: ['disabled'] })
    document.addEventListener('focusin', remember)
    return () => {
      observer.disconnect()
      document.removeEventListener('focusin', remember)
    }
  }, [])
  return null
}

const isLost = () => document.activeElement === null || document.activeElement === document.body

/** Giving the focus needs the layout, which the frame that follows makes anyway. */
const focus = (element: Element) =>
  requestAnimationFrame(() =>
    setTimeout(() => isLost() && (element as HTMLElement).focus({ preventScroll: true })),
  )

/** What takes the focus in place of something inside of what was removed. */
function besides({ nextSibling, previousSibling, target }: MutationRecord, main: Element): Element {
  const keeper = target instanceof Element && target.closest('[data-keeps-focus]')
  if (keeper) return keeper
  for (const near of [nextSibling, previousSibling])
    if (near instanceof Element && near.isConnected) {
      const found = near.matches(focusable) ? near : near.querySelector(focusable)
      if (found) return found
    }
  for (
    let around: Node | null = target;
    around instanceof Element && around !== main;
    around = around.parentElement
  ) {
    const found = around.isConnected ? around.querySelector(focusable) : null
    if (found) return found
  }
  return main
}
