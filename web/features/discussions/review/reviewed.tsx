import { Text } from '@mantine/core'
import type { DiscussionEvent } from '../../../lib/types.ts'
import { Mark } from '../../../ui/mark.tsx'
import { Person } from '../person.tsx'
import { useThread } from '../thread.ts'

const deeds = {
  approve: 'approved these changes',
  request_changes: 'requested changes',
  comment: 'reviewed these changes',
}

/** What became of a review, in words: its verdict, or who was asked. */
export function Reviewed({
  event: { type, verdict = 'comment', from, to, commit },
}: {
  event: DiscussionEvent
}) {
  const head = useThread().pull_request?.head_commit
  if (type === 'review')
    return (
      <>
        <Text span inherit fw={600} c="var(--mantine-color-text)">
          {deeds[verdict]}
        </Text>{' '}
        {commit && commit.sha !== head && (
          <Mark color="caution" title={`As of commit ${commit.sha.slice(0, 8)}`}>
            outdated
          </Mark>
        )}
      </>
    )
  const username = to ?? from
  const person = <Person author={username === undefined ? undefined : { username, avatar_url: '' }} />
  return to === undefined ? <>no longer asks {person} for a review</> : <>asked {person} for a review</>
}
