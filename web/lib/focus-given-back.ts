import { useEffect } from 'react'

/** Gives the focus back, when what took it is gone, to what had it when this was mounted. */
export function useFocusGivenBack(): void {
  useEffect(() => {
    const before = document.activeElement
    return () => {
      if (document.activeElement !== null && document.activeElement !== document.body) return
      const isThere = before instanceof HTMLElement && before.isConnected && before !== document.body
      const target = isThere ? before : document.getElementById('main')
      target?.focus({ preventScroll: true })
    }
  }, [])
}
