import { commentParts } from '../../../../shared/suggestions.ts'
import type { DiscussionEvent } from '../../../lib/types.ts'
import CommentText from '../comment-text.tsx'
import { Suggestion } from './suggestion.tsx'

interface SuggestedTextProps {
  num: number
  event: DiscussionEvent
  place: NonNullable<DiscussionEvent['place']>
  text: string
}

/** A review comment with what it suggests to put in place of its lines. */
export default function SuggestedText({ num, event, place, text }: SuggestedTextProps) {
  let count = 0
  return commentParts(text).map((part, i) =>
    part.kind === 'text' ? (
      <CommentText key={i} id={`${event.id}-${i}`} text={part.text} />
    ) : (
      <Suggestion key={i} num={num} event={event} place={place} number={++count} lines={part.lines} />
    ),
  )
}
