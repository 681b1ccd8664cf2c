import { useHotkeys } from '@mantine/hooks'
import { keptSwitch } from './kept-switch.ts'

/** Whether keys such as `j` work alone: speech input and screen readers may press them unasked (WCAG 2.1.4). */
export const singleKeys = keptSwitch('arsenal-single-keys', true)

/** Has keys work without Ctrl, Meta or Alt, outside fields, unless the person has turned such keys off. */
export function useSingleKeys(keys: readonly (readonly [key: string, act: () => void])[]): void {
  useHotkeys(
    keys.map(([key, act]) => [
      key,
      (event) => {
        if (!singleKeys.isOn()) return
        event.preventDefault()
        act()
      },
      { preventDefault: false },
    ]),
  )
}
