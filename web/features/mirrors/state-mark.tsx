import { Link } from 'react-router'
import { pages } from '../../lib/pages.ts'
import { Mark } from '../../ui/mark.tsx'
import type { Found } from './queries.ts'
import classes from './mirrors.module.css'

const words = {
  mirrored: ['here', 'good', 'All of it is on this server'],
  partial: ['here in part', 'pending', 'On this server, without some large files'],
  pulling: ['pulling', 'pending', 'On its way to this server'],
  local_namesake: ['name in use', 'caution', 'A repo of this server has the same name'],
} as const

/** How a repo of a hub stands here, which leads to it. */
export function StateMark({ arsenal }: { arsenal: Found['arsenal'] }) {
  if (arsenal.state === 'absent') return null
  const [text, color, title] = words[arsenal.state]
  const mark = (
    <Mark color={color} title={title}>
      {text}
    </Mark>
  )
  if (!arsenal.repo) return mark
  return (
    <Link className={classes['state']} to={pages.repo(arsenal.repo)}>
      {mark}
    </Link>
  )
}
