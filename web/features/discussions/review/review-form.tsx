import { Text } from '@mantine/core'
import { useRepo } from '../../../lib/repo-context.ts'
import { InlineForm } from '../inline-form.tsx'
import { useReview, type WantedPlace } from '../queries.ts'
import { linesText } from './lines-text.ts'

interface ReviewFormProps {
  num: number
  place: WantedPlace
  /** What was written before other lines were chosen. */
  draft: string
  onDraft: (text: string) => void
  onClose: () => void
}

/** A comment on lines of a diff, as it is written. */
export default function ReviewForm({ num, place, draft, onDraft, onClose }: ReviewFormProps) {
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
        draft={draft}
        onDraft={onDraft}
        sending={review}
        onSend={(body) => review.mutate({ body, place }, { onSuccess: onClose })}
        onClose={onClose}
      />
    </>
  )
}
