import { useState } from 'react'
import { useLook } from '../lib/look.ts'
import { Announced } from '../ui/announced.tsx'

/** What the admins tell everyone, above all pages until it is dismissed in this browser. */
export function AnnouncementBar() {
  const { announcement } = useLook()
  // `scheme-4.js` has read what was dismissed, before anything was drawn.
  const [read, setRead] = useState(() => globalThis.document?.documentElement.dataset['announcementRead'])
  const text = announcement?.text
  if (!text || text === read) return null
  const dismiss = () => {
    setRead(text)
    localStorage.setItem('announcement-read', text)
  }
  return (
    <aside aria-label="Announcement">
      <Announced announcement={announcement} onDismiss={dismiss} />
    </aside>
  )
}
