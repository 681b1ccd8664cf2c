import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { centred } from './centred.ts'
import classes from './link-tabs.module.css'

export interface LinkTab {
  id: string
  to: string
  label: ReactNode
  icon: ReactNode
}

interface LinkTabsProps {
  /** What the pages belong to, for screen readers. */
  label: string
  tabs: LinkTab[]
  current: string
}

/** Pages that belong together, as links: each opens in a tab of its own where a person wants that. */
export function LinkTabs({ label, tabs, current }: LinkTabsProps) {
  return (
    <nav aria-label={label} className={classes['tabs']}>
      {tabs.map(({ id, to, label: text, icon }) => (
        <Link
          key={id}
          ref={id === current ? centred : undefined}
          to={to}
          aria-current={id === current ? 'page' : undefined}
          className={classes['tab']}
        >
          <span className={classes['icon']} aria-hidden>
            {icon}
          </span>
          {text}
        </Link>
      ))}
    </nav>
  )
}
