import { Link } from 'react-router'
import type { LabelColor } from '../../../../shared/vocabulary.ts'
import { pages } from '../../../lib/pages.ts'
import { useRepo } from '../../../lib/repo-context.ts'
import type { Discussion } from '../../../lib/types.ts'
import classes from './label-chip.module.css'

export type Label = Discussion['labels'][number]

/** A label by its name in its colour. */
export function LabelChip({ name, color }: { name: string; color?: LabelColor | undefined }) {
  return (
    <span className={classes['chip']} data-color={color}>
      {name}
    </span>
  )
}

/** Labels, each of which leads to what has it. */
export function LabelLinks({ labels }: { labels: Label[] }) {
  const { repo } = useRepo()
  return (
    <ul className={classes['chips']} aria-label="Labels">
      {labels.map(({ id, name, color, description }) => (
        <li key={id}>
          <Link
            className={classes['chip']}
            data-color={color}
            title={description}
            to={`${pages.discussions(repo)}?${new URLSearchParams({ label: name }).toString()}`}
          >
            {name}
          </Link>
        </li>
      ))}
    </ul>
  )
}
