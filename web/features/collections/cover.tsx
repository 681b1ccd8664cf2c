import type { CSSProperties } from 'react'
import type { Collection } from '../../lib/types.ts'
import { AvatarPicture } from '../../ui/avatar-picture.tsx'
import classes from './collections.module.css'
import { colourOf } from './words.ts'

/** How many namespaces a cover shows. */
const shown = 5

interface CoverProps {
  collection: Pick<Collection, 'theme' | 'ns' | 'items'>
  /** On the collection's own page it is taller than on a card. */
  isLarge?: boolean
}

/** The cover of a collection: its colour, with the avatars of the namespaces that its first items are from. */
export function Cover({ collection: { theme, ns, items }, isLarge = false }: CoverProps) {
  const owners = [...new Set(items.map(({ item }) => item.ns))].slice(0, shown)
  return (
    <div className={classes['cover']} style={coloured(theme)} data-large={isLarge || undefined} aria-hidden>
      {(owners.length > 0 ? owners : [ns]).map((owner) => (
        <AvatarPicture key={owner} ns={owner} size={isLarge ? 48 : 32} />
      ))}
    </div>
  )
}

/** A collection among other items: its cover in the size of a word. */
export function SmallCover({ theme }: { theme: Collection['theme'] | undefined }) {
  return <span className={classes['smallCover']} style={coloured(theme)} aria-hidden />
}

const coloured = (theme: Collection['theme']) =>
  ({ '--cover': theme ? colourOf(theme) : 'var(--mantine-color-gray-5)' }) as CSSProperties
