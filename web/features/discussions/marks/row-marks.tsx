import type { Discussion } from '../../../lib/types.ts'
import { AvatarPicture } from '../../../ui/avatar-picture.tsx'
import shared from '../discussions.module.css'
import classes from './marks.module.css'

/** Avatars that a row has place for. */
const few = 3

/** Who is assigned, as small pictures at the end of a row. */
export function RowAssignees({ assignees }: Pick<Discussion, 'assignees'>) {
  if (assignees.length === 0) return null
  const names = assignees.map(({ username }) => username).join(', ')
  return (
    <span className={classes['assignees']} title={`Assigned to ${names}`}>
      <span className={shared['unseen']}>Assigned to {names}</span>
      {assignees.slice(0, few).map(({ username }) => (
        <AvatarPicture key={username} ns={username} size={20} />
      ))}
    </span>
  )
}
