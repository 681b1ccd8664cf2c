import { Button } from '@mantine/core'
import { IconArrowBigUp, IconArrowBigUpFilled } from '@tabler/icons-react'
import { useLocation, useNavigate } from 'react-router'
import { formatCompact } from '../../lib/format.ts'
import { notifyProblem } from '../../lib/notify.ts'
import { pages } from '../../lib/pages.ts'
import { useMe } from '../../lib/session.ts'
import type { Collection } from '../../lib/types.ts'
import { CountNumber } from '../../ui/facts.tsx'
import { useUpvote, type CollectionAddress } from './queries.ts'

/** Upvotes the collection, and says how many have. */
export function UpvoteButton({ collection, at }: { collection: Collection; at: CollectionAddress }) {
  const me = useMe()
  const navigate = useNavigate()
  const here = useLocation()
  const upvote = useUpvote(at)
  const { upvoted, upvotes } = collection
  const Icon = upvoted ? IconArrowBigUpFilled : IconArrowBigUp
  return (
    <Button
      title={me ? (upvoted ? 'Take the upvote back' : 'Upvote') : 'Sign in to upvote'}
      size="xs"
      variant="default"
      leftSection={<Icon size={14} />}
      rightSection={formatCompact(upvotes)}
      aria-pressed={upvoted}
      disabled={me === undefined}
      onClick={() =>
        me
          ? upvote.mutate(upvoted, { onError: notifyProblem })
          : void navigate(pages.login(here.pathname + here.search))
      }
    >
      Upvote
    </Button>
  )
}

/** How many upvotes a collection has. */
export const UpvoteCount = ({ value }: { value: number }) => (
  <>
    <IconArrowBigUp size={12} aria-label="Upvotes" /> <CountNumber value={value} />
  </>
)
