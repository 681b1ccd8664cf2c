import { NavLink } from '@mantine/core'
import { useEffect, useState, type RefObject } from 'react'
import classes from './repos.module.css'

/** Links to the sections that stand in `within`; some come late, some only for a few. */
export function SettingsPlaces({ within }: { within: RefObject<HTMLElement | null> }) {
  const [titles, setTitles] = useState<string[]>([])
  useEffect(() => {
    const { current } = within
    if (!current) return undefined
    const read = () => {
      const sections = [...current.querySelectorAll<HTMLElement>('section[aria-label]')]
      for (const section of sections) section.id = idOf(section.ariaLabel ?? '')
      const found = sections.map(({ ariaLabel }) => ariaLabel ?? '')
      setTitles((now) => (now.join() === found.join() ? now : found))
    }
    read()
    const observer = new MutationObserver(read)
    observer.observe(current, { childList: true, subtree: true })
    return () => observer.disconnect()
  }, [within])
  return (
    <nav className={classes['places']} aria-label="Sections">
      {titles.map((title) => (
        <NavLink key={title} href={`#${idOf(title)}`} label={title} py={6} />
      ))}
    </nav>
  )
}

const idOf = (title: string) => title.toLowerCase().replaceAll(' ', '-')
