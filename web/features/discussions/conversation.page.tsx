import { Stack } from '@mantine/core'
import { MergeBox } from './merge-box.tsx'
import { Reply } from './reply.tsx'
import { useThread } from './thread.ts'
import { Timeline } from './timeline.tsx'

/** What was said and done, what can be merged, and a place to say more. */
export function Component() {
  const discussion = useThread()
  return (
    <Stack gap="md" maw={920} className="in-order">
      <Timeline num={discussion.num} events={discussion.events ?? []} />
      {discussion.pull_request && <MergeBox discussion={discussion} pull={discussion.pull_request} />}
      <Reply key={discussion.num} discussion={discussion} />
    </Stack>
  )
}
