import { useHotkeys } from '@mantine/hooks'

const stored = 'arsenal-single-keys'

/** Whether keys such as `j` work alone: speech input and screen readers may press them unasked (WCAG 2.1.4). */
export function areSingleKeysOn(): boolean {
  try {
    return localStorage.getItem(stored) !== 'off'
  } catch {
    return true
  }
}

/** Keeps the choice in this browser; where it keeps nothing, the keys stay on. */
export function turnSingleKeys(isOn: boolean): void {
  try {
    if (isOn) localStorage.removeItem(stored)
    else localStorage.setItem(stored, 'off')
  } catch {
    // Such a browser keeps no choice at all.
  }
}

/** Has keys work without Ctrl, Meta or Alt, outside fields, unless the person has turned such keys off. */
export function useSingleKeys(keys: readonly (readonly [key: string, act: () => void])[]): void {
  useHotkeys(
    keys.map(([key, act]) => [
      key,
      (event) => {
        if (!areSingleKeysOn()) return
        event.preventDefault()
        act()
      },
      { preventDefault: false },
    ]),
  )
}
