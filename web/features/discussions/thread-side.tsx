import { Stack, Text, Title } from '@mantine/core'
import type { Discussion } from '../../lib/types.ts'
import { CommandLine } from '../../ui/command-line.tsx'
import { Person } from './person.tsx'
import classes from './discussions.module.css'

const few = 12

/** Beside a thread: who takes part in it, and how a pull request is fetched. */
export function ThreadSide({
  discussion: { num, events = [], pull_request: pull },
}: {
  discussion: Discussion
}) {
  const authors = events.flatMap(({ author }) => (author ? [[author.username, author] as const] : []))
  const people = [...new Map(authors).values()]
  return (
    <Stack component="section" gap="lg" className={classes['side'] ?? ''} aria-label="About this thread">
      {people.length > 0 && (
        <Stack gap="xs">
          <Title order={2} size="h4">
            {people.length} taking part
          </Title>
          <ul className={classes['people']} aria-label="People taking part">
            {people.slice(0, few).map((author) => (
              <li key={author.username}>
                <Person author={author} hasPicture />
              </li>
            ))}
          </ul>
          {people.length > few && (
            <Text size="xs" c="dimmed">
              and {people.length - few} more
            </Text>
          )}
        </Stack>
      )}
      {pull && (
        <Stack gap="xs">
          <Title order={2} size="h4">
            Try it in a clone
          </Title>
          <CommandLine command={`git fetch origin refs/pr/${num}\ngit checkout FETCH_HEAD`} wraps />
        </Stack>
      )}
    </Stack>
  )
}
