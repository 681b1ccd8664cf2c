import { NavLink } from '@mantine/core'
import type { ComponentType } from 'react'
import { Link, useLocation } from 'react-router'
import { centred } from './centred.ts'
import classes from './place-links.module.css'

interface PlaceLinksProps {
  /** What the pages belong to, for screen readers. */
  label: string
  /** Address, name and icon of each page. The address of the first begins those of the others. */
  places: readonly (readonly [to: string, name: string, icon?: ComponentType<{ size: number }>])[]
  /** Below each other where the window is wide. */
  isColumn?: boolean
}

/** The pages of settings or of administration: one line that scrolls sideways where the window is narrow. */
export function PlaceLinks({ label, places, isColumn = false }: PlaceLinksProps) {
  const { pathname } = useLocation()
  return (
    <nav aria-label={label} className={classes['places']} data-column={isColumn || undefined}>
      {places.map(([to, name, Icon], n) => (
        <NavLink
          key={to}
          ref={pathname === to ? centred : undefined}
          component={Link}
          to={to}
          className={classes['place']}
          label={name}
          leftSection={Icon && <Icon size={16} />}
          active={pathname === to || (n > 0 && pathname.startsWith(`${to}/`))}
          aria-current={pathname === to ? 'page' : undefined}
        />
      ))}
    </nav>
  )
}
