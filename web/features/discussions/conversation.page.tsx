import { Stack } from '@mantine/core'
import { MergeBox } from './merge-box.tsx'
import { Reply } from './reply.tsx'
import { useThread } from './thread.ts'
import { ThreadSide } from './thread-side.tsx'
import { Timeline } from './timeline.tsx'
import classes from './discussions.module.css'

/** What was said and done, what can be merged, and a place to say more. */
export function Component() {
  const discussion = useThread()
  return (
    <div className={classes['columns']}>
      <Stack gap="md" className="in-order">
        <Timeline discussion={discussion} />
        {discussion.pull_request && <MergeBox discussion={discussion} pull={discussion.pull_request} />}
        <Reply key={discussion.num} discussion={discussion} />
      </Stack>
      <ThreadSide discussion={discussion} />
    </div>
  )
}
