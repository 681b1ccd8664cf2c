import { IconHeart } from '@tabler/icons-react'
import { Link } from 'react-router'
import { pages } from '../../../lib/pages.ts'
import { AvatarPicture } from '../../../ui/avatar-picture.tsx'
import { CountNumber, TimeAgo } from '../../../ui/facts.tsx'
import { Mark } from '../../../ui/mark.tsx'
import rows from '../repo-rows.module.css'
import classes from './card-rows.module.css'
import type { FoundCard } from './queries.ts'

/** Repos with the part of their card that has what was looked for. */
export function CardRows({ cards }: { cards: FoundCard[] }) {
  return (
    <ul className={rows['rows']} data-view="list">
      {cards.map((card) => (
        <CardRow key={pages.repo(card)} card={card} />
      ))}
    </ul>
  )
}

function CardRow({ card }: { card: FoundCard }) {
  const { type, ns, name, excerpt, task, likes, updated_at } = card
  return (
    <li className={rows['row']}>
      <span className={rows['avatar']}>
        <AvatarPicture ns={ns} size={36} />
      </span>
      <div className={rows['about']}>
        <div className={rows['names']}>
          <Link className={rows['name']} to={pages.repo(card)} title={`${ns}/${name}`} data-row>
            <span className={rows['ns']}>{ns}/</span>
            {name}
          </Link>
          <Mark>{type}</Mark>
        </div>
        <p className={classes['excerpt']} dir="auto">
          {excerpt.map(({ text, marked }, i) => (marked ? <mark key={i}>{text}</mark> : text))}
        </p>
        {task !== undefined && (
          <div className={rows['chips']}>
            <span className={rows['chip']} data-kind="task">
              {task}
            </span>
          </div>
        )}
      </div>
      <div className={`${rows['numbers']} ${classes['numbers']}`}>
        <span className={rows['number']} data-kind="likes">
          {likes > 0 && (
            <>
              <IconHeart size={13} aria-label="Likes" />
              <CountNumber value={likes} />
            </>
          )}
        </span>
        <span className={rows['number']} data-kind="time">
          <TimeAgo time={updated_at} />
        </span>
      </div>
    </li>
  )
}
