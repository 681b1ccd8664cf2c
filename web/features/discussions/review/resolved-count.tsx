import { Text } from '@mantine/core'
import type { Discussion } from '../../../lib/types.ts'
import { threadsOf } from '../thread.ts'

/** How many of the threads on the lines of a pull request are resolved. */
export function ResolvedCount({ discussion }: { discussion: Discussion }) {
  const threads = [...threadsOf(discussion).values()]
  if (threads.length === 0) return null
  const resolved = threads.filter(({ resolved_at }) => resolved_at !== undefined).length
  return (
    <Text size="sm" c="dimmed">
      {resolved} of {threads.length} resolved
    </Text>
  )
}
