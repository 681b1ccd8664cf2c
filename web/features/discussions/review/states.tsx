import { IconCircleCheck, IconClock, IconFileAlert, IconMessageCircle } from '@tabler/icons-react'
import type { ReviewerState, ReviewVerdict } from '../../../../shared/vocabulary.ts'

/** How a pull request stands with a reviewer: never by colour alone. */
export const looksOfReviewers = {
  requested: { Icon: IconClock, color: 'caution', words: 'is asked' },
  approved: { Icon: IconCircleCheck, color: 'safe', words: 'approved' },
  changes_requested: { Icon: IconFileAlert, color: 'danger', words: 'requests changes' },
  commented: { Icon: IconMessageCircle, color: 'gray', words: 'commented' },
} satisfies Record<ReviewerState, object>

const stateOf = { approve: 'approved', request_changes: 'changes_requested', comment: 'commented' } as const

export const lookOfVerdict = (verdict: ReviewVerdict = 'comment') => looksOfReviewers[stateOf[verdict]]
