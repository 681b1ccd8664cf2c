import { Text, VisuallyHidden } from '@mantine/core'
import { formatCompact, formatExact } from '../lib/format.ts'
import classes from './ui.module.css'

interface DayBarsProps {
  /** What is counted, such as `downloads`. */
  what: string
  /** One value a day, the oldest first. */
  days: { date: string; value: number }[]
  /** Of the highest bar; pixels. */
  height?: number
}

/** Counts of days as bars, told as a table to those who do not see them. */
export function DayBars({ what, days, height = 120 }: DayBarsProps) {
  const most = Math.max(0, ...days.map(({ value }) => value))
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
          const tall = value === 0 ? 1 : Math.max(3, (value / most) * height)
          return (
            <rect key={date} x={i * 10 + 1} y={height - tall} width={8} height={tall}>
              <title>{`${date}: ${formatExact(value)} ${what}`}</title>
            </rect>
          )
        })}
      </svg>
      <Text size="xs" c="dimmed" component="figcaption" className={classes['barEnds'] ?? ''}>
        <span>{first}</span>
        <span>{most === 0 ? `no ${what}` : `at most ${formatCompact(most)} a day`}</span>
        <span>{last}</span>
      </Text>
      <VisuallyHidden>
        <table>
          <caption>{what} per day</caption>
          <tbody>
            {days
              .filter(({ value }) => value > 0)
              .map(({ date, value }) => (
                <tr key={date}>
                  <th scope="row">{date}</th>
                  <td>{value}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </VisuallyHidden>
    </figure>
  )
}
