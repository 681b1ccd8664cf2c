import { Button, Group, Stack, Text } from '@mantine/core'
import { useRef, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { problemText } from '../../lib/form-errors.ts'
import { pages } from '../../lib/pages.ts'
import { useRepo } from '../../lib/repo-context.ts'
import type { Discussion } from '../../lib/types.ts'
import { useUnsaved } from '../../lib/unsaved.ts'
import { CommentEditor } from './comment-editor.tsx'
import { useSay } from './queries.ts'
import { useRights } from './rights.ts'
import { standingOf } from './thread.ts'

/** The end of a thread: say something, close or reopen it. */
export function Reply({ discussion }: { discussion: Discussion }) {
  const { isSignedIn, canSpeak } = useRights()
  if (isSignedIn === false) return <SignInToSpeak />
  return canSpeak ? <ReplyForm discussion={discussion} /> : null
}

/** What stands where somebody who is not signed in could do something. */
export function SignInToSpeak() {
  const { pathname, search } = useLocation()
  return (
    <Group gap="sm">
      <Button size="xs" component={Link} to={pages.login(pathname + search)}>
        Sign in
      </Button>
      <Text size="sm" c="dimmed">
        to take part in the discussion.
      </Text>
    </Group>
  )
}

function ReplyForm({ discussion }: { discussion: Discussion }) {
  const { address } = useRepo()
  const say = useSay(address, discussion.num)
  const [text, setText] = useState('')
  // Keyed by how many were sent before, so that each starts in the editor and not in the preview.
  const [sent, setSent] = useState(0)
  const [isBusy, setIsBusy] = useState(false)
  const section = useRef<HTMLDivElement>(null)
  const isEmpty = text.trim() === ''
  useUnsaved(!isEmpty)
  const send = (status?: 'open' | 'closed') => {
    if (say.isPending || (isEmpty && !status)) return
    // What is typed while it is being sent is the next comment.
    const onSaid = () => {
      setText((now) => (now.startsWith(text) ? now.slice(text.length) : now))
      if (!isEmpty && isHere(section.current)) setSent((before) => before + 1)
    }
    say.mutate({ text, ...(status ? { status } : {}), onSaid })
  }
  return (
    <Stack gap="sm" component="section" aria-label="Reply" data-key="c r" ref={section}>
      <CommentEditor
        key={sent}
        isFocused={sent > 0}
        label="Comment"
        text={text}
        onChange={setText}
        onSubmit={() => send()}
        onBusy={setIsBusy}
        error={say.isError ? problemText(say.error) : undefined}
      />
      <Group gap="xs" justify="flex-end">
        <StatusButton
          discussion={discussion}
          isEmpty={isEmpty}
          isPending={say.isPending || isBusy}
          onChange={send}
        />
        <Button loading={say.isPending} disabled={isEmpty || isBusy} onClick={() => send()}>
          Comment
        </Button>
      </Group>
    </Stack>
  )
}

/** Whether the focus is in it still, or was until its button was switched off. */
const isHere = (section: Element | null) =>
  document.activeElement === document.body || section?.contains(document.activeElement)

interface StatusButtonProps {
  discussion: Discussion
  isEmpty: boolean
  isPending: boolean
  onChange: (status: 'open' | 'closed') => void
}

function StatusButton({ discussion, isEmpty, isPending, onChange }: StatusButtonProps) {
  const { canEdit } = useRights()
  const standing = standingOf(discussion)
  if (!canEdit(discussion) || standing === 'merged') return null
  const what = discussion.kind === 'discussion' ? 'discussion' : 'pull request'
  const [verb, status] =
    standing === 'closed' ? (['Reopen', 'open'] as const) : (['Close', 'closed'] as const)
  return (
    <Button data-key="e" data-asks variant="default" disabled={isPending} onClick={() => onChange(status)}>
      {isEmpty ? `${verb} the ${what}` : `${verb} with this comment`}
    </Button>
  )
}
