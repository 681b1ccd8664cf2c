import { useRepo } from '../../../lib/repo-context.ts'
import { InlineForm } from '../inline-form.tsx'
import { useReview, type WantedPlace } from '../queries.ts'

interface ReviewFormProps {
  num: number
  place: WantedPlace
  onClose: () => void
}

/** A comment on a line of a diff, as it is written. */
export default function ReviewForm({ num, place, onClose }: ReviewFormProps) {
  const { address } = useRepo()
  const review = useReview(address, num)
  return (
    <InlineForm
      label={`Comment on line ${place.line}`}
      action="Comment"
      sending={review}
      onSend={(body) => review.mutate({ body, place }, { onSuccess: onClose })}
      onClose={onClose}
    />
  )
}
