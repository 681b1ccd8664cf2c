import { Alert, Button, Group, Radio, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { ApiProblem } from '../../../../shared/client.ts'
import type { ReviewVerdict } from '../../../../shared/vocabulary.ts'
import { problemText } from '../../../lib/form-errors.ts'
import { notifyDone } from '../../../lib/notify.ts'
import { useRepo } from '../../../lib/repo-context.ts'
import { useMe } from '../../../lib/session.ts'
import type { Discussion } from '../../../lib/types.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { CommentEditor } from '../comment-editor.tsx'
import { useSendReview } from '../queries.ts'
import { EarlierComments } from './earlier-comments.tsx'
import type { PendingComment, PendingReview } from './pending.ts'

interface FinishReviewProps {
  discussion: Discussion
  /** The commit whose files are shown. */
  head: string
  pending: PendingReview
  onClose: () => void
}

const verdicts: { value: ReviewVerdict; label: string; note: string }[] = [
  { value: 'comment', label: 'Comment', note: 'Say something without a verdict.' },
  { value: 'approve', label: 'Approve', note: 'It can be merged as it is.' },
  { value: 'request_changes', label: 'Request changes', note: 'Something must change first.' },
]

/** The last step of a review. Whatever goes wrong, all that was written stays. */
export default function FinishReview({ discussion, head, pending, onClose }: FinishReviewProps) {
  const { address } = useRepo()
  const send = useSendReview(address, discussion.num)
  const [verdict, setVerdict] = useState<ReviewVerdict>('comment')
  const [isBusy, setIsBusy] = useState(false)
  const { text, isKept } = pending
  const current = pending.comments.filter(({ place }) => place.commit === head)
  const earlier = pending.comments.filter(({ place }) => place.commit !== head)
  const refusal = useRefusal(discussion)
  const isEmpty = text.trim() === '' && current.length === 0
  const isReady = earlier.length === 0 && !(isEmpty && verdict !== 'approve')
  const submit = () => {
    if (!isReady || isBusy || send.isPending) return
    send.mutate(
      {
        verdict,
        head,
        ...(text.trim() && { body: text }),
        comments: current.map(({ place: { commit: _, ...place }, body }) => ({ place, body })),
      },
      {
        onSuccess: () => {
          pending.clear({ comments: current, text })
          notifyDone('The review was sent')
          onClose()
        },
      },
    )
  }
  return (
    <Dialog onClose={onClose} title="Finish the review" size="lg">
      <Stack gap="md">
        {send.isError && (
          <Alert color="danger" role="alert" title="The review was not sent">
            {faultText(send.error, current)} All that you wrote is kept here.
          </Alert>
        )}
        {!isKept && (
          <Alert color="caution" title="Your browser does not keep this review">
            Send it before you leave the page.
          </Alert>
        )}
        {earlier.length > 0 && <EarlierComments comments={earlier} head={head} pending={pending} />}
        {current.length > 0 && (
          <Text size="sm">
            {current.length === 1
              ? '1 comment on the changes is'
              : `${current.length} comments on the changes are`}{' '}
            sent with it.
          </Text>
        )}
        <CommentEditor
          label="What do you say of it as a whole?"
          text={text}
          onChange={pending.setText}
          onSubmit={submit}
          onBusy={setIsBusy}
        />
        <Radio.Group
          label="Verdict"
          description={refusal}
          value={verdict}
          onChange={(value) => setVerdict(value as ReviewVerdict)}
        >
          <Stack gap={8} mt={8}>
            {verdicts.map(({ value, label, note }) => (
              <Radio
                key={value}
                value={value}
                label={label}
                description={note}
                disabled={refusal !== undefined && value !== 'comment'}
              />
            ))}
          </Stack>
        </Radio.Group>
        <Group gap="xs" justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Later
          </Button>
          <Button loading={send.isPending} disabled={!isReady || isBusy} onClick={submit}>
            Send the review
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

/** Why the person can only comment, if so. */
function useRefusal({ author, status }: Discussion): string | undefined {
  const me = useMe()
  if (author && me?.username === author.username)
    return 'You opened this pull request, so you can only comment.'
  return status === 'closed' ? 'It is closed, so you can only comment.' : undefined
}

/** What is wrong; of a comment, where that stands. */
function faultText(error: unknown, comments: PendingComment[]): string {
  const fault = error instanceof ApiProblem ? error.errors[0] : undefined
  const place = comments[Number(/^comments\.(\d+)\./.exec(fault?.field ?? '')?.[1] ?? -1)]?.place
  return fault && place ? `${place.path}, line ${place.line}: ${fault.message}.` : problemText(error)
}
