import { Stack, Title } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { dateFormat } from '../../lib/format.ts'
import { Paged } from '../../ui/loaded.tsx'
import { ListSkeleton } from '../../ui/states.tsx'
import frame from '../../ui/ui.module.css'
import { FeedRow, type FeedEntry } from './feed-row.tsx'
import classes from './feed.module.css'
import { feedQuery } from './queries.ts'
import { NoFeed } from './suggestions.tsx'

/** Days are those of UTC, as the server joins the commits of one. */
const formatDay = dateFormat({ dateStyle: 'full', timeZone: 'UTC' })

/** What is new, by days. */
export default function Feed() {
  const query = useInfiniteQuery(feedQuery)
  return (
    <section aria-labelledby="feed">
      <Title order={1} id="feed" size="h2" mb="sm">
        Feed
      </Title>
      <Paged query={query} skeleton={<ListSkeleton rows={8} height={72} />} empty={<NoFeed />}>
        {(entries) => (
          <Stack gap="lg">
            {daysOf(entries).map(([day, ofDay]) => (
              <section key={day} aria-label={formatDay(day)}>
                <Title order={2} size="sm" c="dimmed" mb="xs">
                  <time dateTime={day}>{formatDay(day)}</time>
                </Title>
                <ul className={`${frame['frame']} ${classes['list']}`}>
                  {ofDay.map((entry) => (
                    <FeedRow key={entry.id} entry={entry} />
                  ))}
                </ul>
              </section>
            ))}
          </Stack>
        )}
      </Paged>
    </section>
  )
}

function daysOf(entries: FeedEntry[]): [string, FeedEntry[]][] {
  const days = new Map<string, FeedEntry[]>()
  for (const entry of entries) {
    const day = entry.at.slice(0, 10)
    days.set(day, [...(days.get(day) ?? []), entry])
  }
  return [...days]
}
