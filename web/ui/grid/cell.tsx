import { IconFileTypePdf, IconMovie, IconPhotoOff } from '@tabler/icons-react'
import { cellText, isOurs, labelText, mediaOf } from './cell-text.ts'
import { elementOf, type Kind } from './feature-types.ts'
import classes from './grid.module.css'
import type { NamedFeature } from '../../../shared/viewer.ts'

interface CellProps {
  column: NamedFeature & { kind: Kind }
  value: unknown
  /** Whether it is the beginning of a longer text. */
  isCut: boolean
}

/** A cell as the table shows it: one line, a small picture or a player. Always text, never HTML. */
export function Cell({ column, value, isCut }: CellProps) {
  if (value === null || value === undefined) return <span className={classes['null']}>null</span>
  const { kind, type } = column
  if (kind === 'image') return <Thumbnail value={value} />
  if (kind === 'audio') return <Player value={value} />
  if (kind === 'video' || kind === 'pdf') return <Icon kind={kind} />
  if (kind === 'label')
    return (
      <>
        <span className={classes['label']}>{labelText(value, type)}</span>
        <span className={classes['labelNumber']}>{String(value)}</span>
      </>
    )
  if (Array.isArray(value) && mediaOf(value) && elementOf(type) !== type) return <Gallery values={value} />
  return (
    <>
      {cellText(value, type)}
      {isCut && (
        <span className={classes['cut']} title="The server sends the beginning of this cell only.">
          cut
        </span>
      )}
    </>
  )
}

function Thumbnail({ value }: { value: unknown }) {
  const source = mediaOf(value)
  if (!source || !isOurs(source.src))
    return (
      <span className={classes['null']} title={source ? `On another server: ${source.src}` : undefined}>
        <IconPhotoOff size={16} aria-hidden="true" /> {source ? 'on another server' : 'no image'}
      </span>
    )
  return (
    <img
      className={classes['thumbnail']}
      src={source.src}
      alt=""
      loading="lazy"
      decoding="async"
      {...(source.width ? { width: source.width, height: source.height } : {})}
    />
  )
}

/** Pictures of a list that a cell shows. */
const shownPictures = 4

function Gallery({ values }: { values: unknown[] }) {
  return (
    <span className={classes['gallery']}>
      {values.slice(0, shownPictures).map((value, i) => (
        // The elements of a list are in a fixed order.
        // oxlint-disable-next-line react/no-array-index-key
        <Thumbnail key={i} value={value} />
      ))}
      {values.length > shownPictures && <span>+{values.length - shownPictures}</span>}
    </span>
  )
}

function Player({ value }: { value: unknown }) {
  const source = mediaOf(value)
  if (!source || !isOurs(source.src)) return <span className={classes['null']}>no sound</span>
  // Recordings of a dataset come without captions.
  // oxlint-disable-next-line jsx-a11y/media-has-caption
  return <audio className={classes['audio']} src={source.src} controls preload="none" />
}

const icons = { video: IconMovie, pdf: IconFileTypePdf }

function Icon({ kind }: { kind: keyof typeof icons }) {
  const Shown = icons[kind]
  return (
    <span className={classes['icon']}>
      <Shown size={20} aria-hidden="true" /> {kind === 'pdf' ? 'PDF' : 'Video'}
    </span>
  )
}
