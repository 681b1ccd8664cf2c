import '@mantine/notifications/styles.css'
import { Notifications } from '@mantine/notifications'
import { useEffect } from 'react'

/** Where notifications appear. */
export default function NotificationHost() {
  useEffect(keepClear, [])
  // In a portal they would not be there yet when `keepClear` looks for them.
  return <Notifications position="bottom-right" limit={4} withinPortal={false} />
}

/** Between notifications and what is above them, in pixels. */
const gap = 16

/**
 * Makes room for the notifications: the end of a page can be scrolled clear of them, and what has the focus, such as the
 * button that was pressed, moves out from under them (WCAG 2.4.11).
 */
function keepClear() {
  const stack = document.querySelector('[data-position="bottom-right"]')
  const main = document.getElementById('main')
  if (!stack || !main) return undefined
  // On these two elements, not as a variable: for that the browser takes the style of every element again.
  const makeRoom = (room: string) => {
    main.style.paddingBottom = room
    document.documentElement.style.scrollPaddingBottom = room
  }
  const observer = new ResizeObserver(() => {
    const { height, top } = stack.getBoundingClientRect()
    makeRoom(height > 0 ? `${window.innerHeight - top + gap}px` : '')
    if (height > 0) uncover(stack)
  })
  observer.observe(stack)
  return () => {
    observer.disconnect()
    makeRoom('')
  }
}

function uncover(stack: Element) {
  const focused = document.activeElement
  if (!focused || focused.matches('body, main')) return
  const [over, under] = [stack.getBoundingClientRect(), focused.getBoundingClientRect()]
  if (under.bottom > over.top && under.right > over.left) focused.scrollIntoView({ block: 'nearest' })
}
