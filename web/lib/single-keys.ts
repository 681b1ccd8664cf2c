import { useHotkeys } from '@mantine/hooks'
import { keptSwitch } from './kept-switch.ts'
import { isCovered } from './topmost.ts'

/** Whether keys such as `j` work alone: speech input and screen readers may press them unasked (WCAG 2.1.4). */
export const singleKeys = keptSwitch('arsenal-single-keys', true)

/** Whether a dialog or a menu has the focus, or covers the page. */
const isElsewhere = () =>
  isCovered() || Boolean(document.activeElement?.closest('[role=menu], [role=dialog]'))

/**
 * Has keys work without Ctrl, Meta or Alt, outside fields, menus and dialogs, unless the person has turned such keys off.
 * All of this is decided at the press: the code of some keys is fetched, and a dialog may be closed before it comes.
 */
export function useSingleKeys(keys: readonly (readonly [key: string, act: () => void])[]): void {
  useHotkeys(
    keys.map(([key, act]) => [
      key,
      (event) => {
        if (!singleKeys.isOn() || isElsewhere()) return
        event.preventDefault()
        act()
      },
      { preventDefault: false },
    ]),
  )
}
