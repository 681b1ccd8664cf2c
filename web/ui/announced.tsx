import type { Look } from '../lib/look.ts'
import classes from './announced.module.css'

interface AnnouncedProps {
  announcement: Pick<NonNullable<Look['announcement']>, 'text' | 'kind'>
  onDismiss?: () => void
}

/** An announcement: a colour, a mark and a word say of what kind it is. Its style draws the marks, which every page would load. */
export function Announced({ announcement: { text, kind }, onDismiss }: AnnouncedProps) {
  return (
    <div className={classes['bar']} data-announcement={kind}>
      <p>
        <strong>{kind === 'warning' ? 'Warning' : 'Notice'}:</strong> {text}
      </p>
      {onDismiss && <button type="button" aria-label="Dismiss the announcement" onClick={onDismiss} />}
    </div>
  )
}
