import { Button, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { suggestionOf } from '../../../../shared/suggestions.ts'
import { notifyProblem } from '../../../lib/notify.ts'
import { useRepo } from '../../../lib/repo-context.ts'
import { linesQuery } from '../../../ui/diff/queries.ts'
import { InlineForm } from '../inline-form.tsx'
import { useReview, type WantedPlace } from '../queries.ts'
import { linesText } from './lines-text.ts'
import type { PendingReview } from './pending.ts'

interface ReviewFormProps {
  num: number
  place: WantedPlace
  /** What was written before other lines were chosen. */
  draft: string
  onDraft: (text: string) => void
  pending: PendingReview
  onClose: () => void
}

/** A comment on lines of a diff, as it is written. */
export default function ReviewForm({ num, place, draft, onDraft, pending, onClose }: ReviewFormProps) {
  const { address } = useRepo()
  const review = useReview(address, num)
  return (
    <>
      <Text size="xs" c="dimmed" visibleFrom="sm">
        For several lines: drag over their numbers, press the button of another one with Shift, or press Shift
        and an arrow on it.
      </Text>
      <InlineForm
        label={`Comment on ${linesText(place).toLowerCase()}`}
        action="Comment"
        second={
          pending.hasRoom
            ? {
                action: pending.comments.length === 0 ? 'Start a review' : 'Add to the review',
                onSend: (body) => {
                  pending.add({ place, body })
                  onClose()
                },
              }
            : undefined
        }
        renderTools={(add) => place.side === 'new' && <Suggest place={place} onAdd={add} />}
        draft={draft}
        onDraft={onDraft}
        sending={review}
        onSend={(body) => review.mutate({ body, place }, { onSuccess: onClose })}
        onClose={onClose}
      />
    </>
  )
}

/** Puts a suggestion into the text that begins with the lines as they are. */
function Suggest({ place, onAdd }: { place: WantedPlace; onAdd: (text: string) => void }) {
  const { address } = useRepo()
  const cache = useQueryClient()
  const { path, commit, line, start_line: first = line } = place
  const suggest = async () => {
    try {
      const text = await cache.fetchQuery(linesQuery(address, commit, path))
      onAdd(suggestionOf(text.slice(first - 1, line).map((each) => each.replace(/\r$/, ''))))
    } catch (error) {
      notifyProblem(error)
    }
  }
  return (
    <Button size="xs" variant="subtle" onClick={() => void suggest()}>
      Suggest a change
    </Button>
  )
}
