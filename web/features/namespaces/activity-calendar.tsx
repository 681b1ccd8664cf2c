import { Group, Text, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { dateFormat, formatExact } from '../../lib/format.ts'
import type { ActivityDays } from '../../lib/types.ts'
import { Loaded } from '../../ui/loaded.tsx'
import classes from './activity-calendar.module.css'
import { activityDaysQuery } from './queries.ts'

const DAY_MS = 86_400_000
const STEP = 14
const [LEFT, TOP] = [30, 16]
const levels = [0, 1, 2, 3, 4]

const formatDay = dateFormat({
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})
const formatMonth = dateFormat({ month: 'short', timeZone: 'UTC' })

/** How much a person did on each day of a year, as far as the viewer may see it. */
export function ActivityCalendar({ user }: { user: string }) {
  const query = useQuery(activityDaysQuery(user))
  return (
    <div className={classes['place']}>
      <Loaded query={query} skeleton={<div role="status" aria-label="Loading" />}>
        {(days) => <Calendar days={days} />}
      </Loaded>
    </div>
  )
}

function Calendar({ days: { from, to, total, is_partial, days } }: { days: ActivityDays }) {
  const counts = new Map(days.map(({ date, count }) => [date, count]))
  const most = Math.max(1, ...counts.values())
  const first = Date.parse(from)
  const all = Array.from({ length: (Date.parse(to) - first) / DAY_MS + 1 }, (_, i) =>
    new Date(first + i * DAY_MS).toISOString().slice(0, 10),
  )
  const weeks = Math.ceil(all.length / 7)
  const number = total === 0 ? 'No' : `${is_partial ? 'More than ' : ''}${formatExact(total)}`
  const summary = `${number} ${total === 1 ? 'contribution' : 'contributions'} in the last year`
  return (
    <>
      <Group justify="space-between" gap="xs" mb={6}>
        <Text size="sm">{summary}</Text>
        <Legend />
      </Group>
      {/* The newest weeks are looked at first; keys scroll to the others. */}
      <div
        className={classes['scroller']}
        role="group"
        aria-label="calendar"
        tabIndex={0}
        ref={(place) => {
          if (place) place.scrollLeft = place.scrollWidth
        }}
      >
        <svg
          width={LEFT + weeks * STEP}
          height={TOP + 7 * STEP}
          role="img"
          aria-label={`${summary}, by UTC day`}
        >
          {monthsOf(all).map(({ week, name }) => (
            <text key={week} x={LEFT + week * STEP} y={10}>
              {name}
            </text>
          ))}
          {['Mon', 'Wed', 'Fri'].map((name, i) => (
            <text key={name} x={0} y={TOP + i * 2 * STEP + 10}>
              {name}
            </text>
          ))}
          {all.map((date, i) => {
            const count = counts.get(date) ?? 0
            return (
              <rect
                key={date}
                x={LEFT + Math.floor(i / 7) * STEP}
                y={TOP + (i % 7) * STEP}
                width={STEP - 3}
                height={STEP - 3}
                rx={2}
                data-level={Math.ceil((count / most) * 4)}
              >
                <title>{said(date, count)}</title>
              </rect>
            )
          })}
        </svg>
      </div>
      <VisuallyHidden>
        <table>
          <caption>Contributions by UTC day</caption>
          <tbody>
            {days.map(({ date, count }) => (
              <tr key={date}>
                <th scope="row">{formatDay(date)}</th>
                <td>{formatExact(count)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </VisuallyHidden>
    </>
  )
}

const said = (date: string, count: number) =>
  `${count === 0 ? 'None' : formatExact(count)} on ${formatDay(date)}`

/** Where months begin, but for one at the left edge whose name would run into the next. */
function monthsOf(all: string[]): { week: number; name: string }[] {
  const mondays = all.filter((_, i) => i % 7 === 0)
  const starts = mondays.flatMap((date, week) =>
    date.slice(0, 7) === mondays[week - 1]?.slice(0, 7) ? [] : [{ week, name: formatMonth(date) }],
  )
  return starts.filter(
    ({ week }, i) => (starts[i + 1]?.week ?? Infinity) - week > 2 && week < mondays.length - 1,
  )
}

function Legend() {
  return (
    <Group gap={6} aria-hidden>
      <Text size="xs" c="dimmed">
        Less
      </Text>
      <svg width={levels.length * STEP - 3} height={STEP - 3} className={classes['legend']}>
        {levels.map((level) => (
          <rect key={level} x={level * STEP} width={STEP - 3} height={STEP - 3} rx={2} data-level={level} />
        ))}
      </svg>
      <Text size="xs" c="dimmed">
        More
      </Text>
    </Group>
  )
}
