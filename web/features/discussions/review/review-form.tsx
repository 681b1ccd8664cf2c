import { Button, Group, Stack } from '@mantine/core'
import { useState } from 'react'
import { problemText } from '../../../lib/form-errors.ts'
import { useRepo } from '../../../lib/repo-context.ts'
import { useUnsaved } from '../../../lib/unsaved.ts'
import { CommentEditor } from '../comment-editor.tsx'
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
  const [text, setText] = useState('')
  const [isBusy, setIsBusy] = useState(false)
  useUnsaved(text.trim() !== '')
  const send = () => {
    if (text.trim() && !review.isPending) review.mutate({ body: text, place }, { onSuccess: onClose })
  }
  return (
    <Stack gap="sm">
      <CommentEditor
        label={`Comment on line ${place.line}`}
        text={text}
        onChange={setText}
        onSubmit={send}
        onBusy={setIsBusy}
        isFocused
        error={review.isError ? problemText(review.error) : undefined}
      />
      <Group gap="xs">
        <Button size="xs" loading={review.isPending} disabled={!text.trim() || isBusy} onClick={send}>
          Comment
        </Button>
        <Button size="xs" variant="default" onClick={onClose}>
          Cancel
        </Button>
      </Group>
    </Stack>
  )
}
