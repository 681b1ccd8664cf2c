import { Button, Stack, Text, Title } from '@mantine/core'
import { IconBell, IconBellOff } from '@tabler/icons-react'
import { notifyProblem } from '../../lib/notify.ts'
import { useRepo } from '../../lib/repo-context.ts'
import type { Discussion } from '../../lib/types.ts'
import { CommandLine } from '../../ui/command-line.tsx'
import { Person } from './person.tsx'
import { useMute } from './queries.ts'
import { ConvertToDraft } from './convert-to-draft.tsx'
import { Reviewers } from './review/reviewers.tsx'
import { AssigneesSide, LabelsSide } from './marks/sides.tsx'
import classes from './discussions.module.css'

const few = 12

/** Beside a thread: what it is sorted by, who takes part in it, and how a pull request is fetched. */
export function ThreadSide({ discussion }: { discussion: Discussion }) {
  const { num, events = [], pull_request: pull, muted } = discussion
  const authors = events.flatMap(({ author }) => (author ? [[author.username, author] as const] : []))
  const people = [...new Map(authors).values()]
  return (
    <Stack component="section" gap="lg" className={classes['side'] ?? ''} aria-label="About this thread">
      {pull && <Reviewers discussion={discussion} />}
      <ConvertToDraft discussion={discussion} />
      <AssigneesSide discussion={discussion} />
      <LabelsSide discussion={discussion} />
      {people.length > 0 && (
        <Stack gap="xs">
          <Title order={2} size="h3">
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
      {muted !== undefined && <Mute num={num} isMuted={muted} />}
      {pull && (
        <Stack gap="xs">
          <Title order={2} size="h3">
            Try it in a clone
          </Title>
          <CommandLine command={`git fetch origin refs/pr/${num}\ngit checkout FETCH_HEAD`} wraps />
        </Stack>
      )}
    </Stack>
  )
}

/** Whether the person hears of what is written here. */
function Mute({ num, isMuted }: { num: number; isMuted: boolean }) {
  const { address } = useRepo()
  const mute = useMute(address, num)
  return (
    <Stack gap="xs" align="flex-start">
      <Title order={2} size="h3">
        Notifications
      </Title>
      <Text size="xs" c="dimmed">
        {isMuted
          ? 'Muted: you are notified of comments that mention you.'
          : 'Once you write here or are assigned, you are notified of what follows.'}
      </Text>
      <Button
        size="xs"
        variant="default"
        leftSection={isMuted ? <IconBell size={14} /> : <IconBellOff size={14} />}
        loading={mute.isPending}
        onClick={() => mute.mutate(!isMuted, { onError: notifyProblem })}
      >
        {isMuted ? 'Unmute this thread' : 'Mute this thread'}
      </Button>
    </Stack>
  )
}
