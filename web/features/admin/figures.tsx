import { Progress } from '@mantine/core'
import type { ReactNode } from 'react'
import { formatSize } from '../../lib/format.ts'
import { CountNumber, Size } from '../../ui/facts.tsx'
import classes from './admin.module.css'

/** A figure whose name is more than text. */
interface KeyedFigure {
  key: string
  what: ReactNode
  figure: ReactNode
}

/** Figures one below the other, each behind what it is. */
export function Figures({ rows }: { rows: ([what: string, figure: ReactNode] | KeyedFigure)[] }) {
  const all = rows.map((row) => (Array.isArray(row) ? { key: row[0], what: row[0], figure: row[1] } : row))
  return (
    <dl className={classes['figures']}>
      {all.map(({ key, what, figure }) => (
        <div key={key}>
          <dt>{what}</dt>
          <dd>{figure}</dd>
        </div>
      ))}
    </dl>
  )
}

/** How many, and the bytes they take. */
export function Stored({ count, bytes }: { count: number; bytes: number }) {
  return (
    <>
      <CountNumber value={count} /> · <Size bytes={bytes} />
    </>
  )
}

export interface Share {
  what: string
  bytes: number
  /** A colour of the theme with its shade. */
  color: string
}

interface ShareBarProps {
  what: string
  shares: Share[]
  /** What the whole width stands for; the sum of the shares when left out. */
  totalBytes?: number
}

/** Bytes as parts of a whole, with a legend below the bar. */
export function ShareBar({ what, shares, totalBytes }: ShareBarProps) {
  const whole = totalBytes ?? shares.reduce((sum, { bytes }) => sum + bytes, 0)
  const legend = shares.map((share) => `${share.what} ${formatSize(share.bytes)}`).join(', ')
  return (
    <>
      <Progress.Root size="lg" role="img" aria-label={`${what}: ${legend}`}>
        {shares.map(({ what: part, bytes, color }) => (
          <Progress.Section
            key={part}
            withAria={false}
            value={whole > 0 ? (bytes / whole) * 100 : 0}
            color={color}
          />
        ))}
      </Progress.Root>
      <ul className={classes['legend']}>
        {shares.map(({ what: part, bytes, color }) => (
          <li key={part}>
            <span
              className={classes['swatch']}
              style={{ background: `var(--mantine-color-${color.replace('.', '-')})` }}
            />
            {part} <Size bytes={bytes} />
          </li>
        ))}
      </ul>
    </>
  )
}
