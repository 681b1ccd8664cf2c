import { Text, VisuallyHidden } from '@mantine/core'
import { formatExact, formatUtcDay } from '../lib/format.ts'
import classes from './ui.module.css'

interface DayBarsProps {
  /** What is counted, such as `downloads`. */
  what: string
  /** One value a day, the oldest first. */
  days: { date: string; value: number }[]
  /** What is said of the highest. */
  most: (value: number) => string
  /** A value as it is read; by default with `what` behind it. */
  shown?: (value: number) => string
  /** Of the highest bar; pixels. */
  height?: number
}

/** Counts of days as bars, and as a table for screen readers. */
export function DayBars({
  what,
  days,
  most,
  shown = (value) => `${formatExact(value)} ${what}`,
  height = 120,
}: DayBarsProps) {
  const highest = Math.max(0, ...days.map(({ value }) => value))
  const [first, last] = [days[0]?.date, days.at(-1)?.date]
  return (
    <figure className={classes['bars']}>
      <svg
        viewBox={`0 0 ${days.length * 10} ${height}`}
        height={height}
        width="100%"
        preserveAspectRatio="none"
        aria-hidden
      >
        {days.map(({ date, value }, i) => {
          const tall = value === 0 ? 1 : Math.max(3, (value / highest) * height)
          return (
            <rect key={date} x={i * 10 + 1} y={height - tall} width={8} height={tall}>
              <title>{`${formatUtcDay(date)}: ${shown(value)}`}</title>
            </rect>
          )
        })}
      </svg>
      <Text size="xs" c="dimmed" component="figcaption" className={classes['barEnds'] ?? ''}>
        <span>{first && formatUtcDay(first)}</span>
        <span>{highest === 0 ? `no ${what}` : most(highest)}</span>
        <span>{last && formatUtcDay(last)}</span>
      </Text>
      <VisuallyHidden>
        <table>
          <caption>{what} by day</caption>
          <tbody>
            {days
              .filter(({ value }) => value > 0)
              .map(({ date, value }) => (
                <tr key={date}>
                  <th scope="row">{formatUtcDay(date)}</th>
                  <td>{shown(value)}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </VisuallyHidden>
    </figure>
  )
}
