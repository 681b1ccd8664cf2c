import { Button } from '@mantine/core'
import { Suspense, useState } from 'react'
import { useUnsaved } from '../../../lib/unsaved.ts'
import { late } from '../../../ui/late.tsx'
import type { Discussion } from '../../../lib/types.ts'
import { useRights } from '../rights.ts'
import type { PendingReview } from './pending.ts'

const FinishReview = late(async () => ({ default: (await import('./writing.ts')).FinishReview }))

interface FinishButtonProps {
  discussion: Discussion
  /** The commit whose files are shown. */
  head: string
  pending: PendingReview
}

/** Ends a review: its verdict, and all that is pending, sent together. */
export function FinishButton({ discussion, head, pending }: FinishButtonProps) {
  const { canSpeak } = useRights()
  const [isOpen, setIsOpen] = useState(false)
  const { comments, text, isKept } = pending
  useUnsaved(!isKept)
  if (!canSpeak) return null
  const isBegun = comments.length > 0 || text !== ''
  return (
    <>
      <Button size="xs" variant={isBegun ? 'filled' : 'default'} onClick={() => setIsOpen(true)}>
        {comments.length > 0 ? `Finish review (${comments.length})` : isBegun ? 'Finish review' : 'Review'}
      </Button>
      <Suspense>
        {isOpen && (
          <FinishReview
            discussion={discussion}
            head={head}
            pending={pending}
            onClose={() => setIsOpen(false)}
          />
        )}
      </Suspense>
    </>
  )
}
