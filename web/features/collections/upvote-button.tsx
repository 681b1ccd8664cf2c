import { Button } from '@mantine/core'
import { IconArrowBigUp, IconArrowBigUpFilled } from '@tabler/icons-react'
import { Link, useLocation } from 'react-router'
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
  const here = useLocation()
  const upvote = useUpvote(at)
  const { upvoted, upvotes } = collection
  const Icon = upvoted ? IconArrowBigUpFilled : IconArrowBigUp
  const look = {
    size: 'xs',
    variant: 'default',
    leftSection: <Icon size={14} />,
    rightSection: formatCompact(upvotes),
    children: 'Upvote',
  } as const
  if (me === null)
    return (
      <Button
        {...look}
        title="Sign in to upvote"
        component={Link}
        to={pages.login(here.pathname + here.search)}
      />
    )
  return (
    <Button
      {...look}
      title={upvoted ? 'Take the upvote back' : 'Upvote'}
      aria-pressed={upvoted}
      disabled={me === undefined}
      onClick={() => upvote.mutate(upvoted, { onError: notifyProblem })}
    />
  )
}

/** How many upvotes a collection has. */
export const UpvoteCount = ({ value }: { value: number }) => (
  <>
    <IconArrowBigUp size={12} aria-label="Upvotes" /> <CountNumber value={value} />
  </>
)
