import { IconAlertTriangle, IconInfoCircle, IconX } from '@tabler/icons-react'
import type { Look } from '../lib/look.ts'
import classes from './announced.module.css'

interface AnnouncedProps {
  announcement: Pick<NonNullable<Look['announcement']>, 'text' | 'kind'>
  onDismiss?: () => void
}

/** An announcement: a colour, a mark and a word say of what kind it is. */
export function Announced({ announcement: { text, kind }, onDismiss }: AnnouncedProps) {
  const isWarning = kind === 'warning'
  const Icon = isWarning ? IconAlertTriangle : IconInfoCircle
  return (
    <aside className={classes['bar']} data-announcement={kind} aria-label="Announcement">
      <Icon size={18} aria-hidden />
      <p>
        <strong>{isWarning ? 'Warning' : 'Notice'}:</strong> {text}
      </p>
      {onDismiss && (
        <button type="button" aria-label="Dismiss the announcement" onClick={onDismiss}>
          <IconX size={16} />
        </button>
      )}
    </aside>
  )
}
