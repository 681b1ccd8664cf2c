import { useRef, useState, type KeyboardEvent } from 'react'
import type { SearchListHandle } from './search-list.tsx'

/** What a search field and its list share: keys go from the field to the list, the marked entry comes back. */
export function useSearchKeys(onEscape: () => void) {
  const handle = useRef<SearchListHandle>(null)
  const [active, setActive] = useState<string>()
  const [isEntered, setEntered] = useState(false)
  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event
    if (key === 'Escape') {
      // A search field would empty itself, which counts as typing.
      event.preventDefault()
      onEscape()
    }
    if (key !== 'ArrowDown' && key !== 'ArrowUp' && key !== 'Enter') return
    event.preventDefault()
    if (handle.current) handle.current.press(key)
    else if (key === 'Enter') setEntered(true)
  }
  return { handle, active, isEntered, onKeyDown, onActive: setActive, forget: () => setEntered(false) }
}
