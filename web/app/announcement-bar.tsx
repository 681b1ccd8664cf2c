import { useState } from 'react'
import { useLook } from '../lib/look.ts'
import { Announced } from '../ui/announced.tsx'

/** `scheme-3.js` looks there too, before anything is drawn. */
const key = 'announcement-read'

/** What the admins tell everyone, above all pages until it is dismissed in this browser. */
export function AnnouncementBar() {
  const { announcement } = useLook()
  const [read, setRead] = useState(kept)
  if (!announcement || announcement.text === read) return null
  const { text } = announcement
  const dismiss = () => {
    setRead(text)
    try {
      localStorage.setItem(key, text)
    } catch (error) {
      console.warn('That the announcement was dismissed cannot be kept', error)
    }
  }
  return <Announced announcement={announcement} onDismiss={dismiss} />
}

/** The text that was dismissed in this browser; none where the server draws, or where the browser keeps nothing. */
function kept(): string | null | undefined {
  try {
    return globalThis.localStorage?.getItem(key)
  } catch {
    return undefined
  }
}
