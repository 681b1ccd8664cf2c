import { Button, Group, Stack } from '@mantine/core'
import { useState } from 'react'
import { problemText } from '../../lib/form-errors.ts'
import { useUnsaved } from '../../lib/unsaved.ts'
import { CommentEditor } from './comment-editor.tsx'

interface InlineFormProps {
  label: string
  /** What the button says. */
  action: string
  /** The text as it is now; empty for a new comment. */
  before?: string
  /** What was written before it was shown at another place. */
  draft?: string
  onDraft?: (text: string) => void
  sending: { isPending: boolean; isError: boolean; error: Error | null }
  onSend: (text: string) => void
  onClose: () => void
}

/** A comment that is written or edited where it stands. */
export function InlineForm(props: InlineFormProps) {
  const { label, action, before = '', draft, onDraft, sending, onSend, onClose } = props
  const [text, setText] = useState(draft || before)
  const [isBusy, setIsBusy] = useState(false)
  useUnsaved(text !== before)
  const send = () => {
    if (sending.isPending || !text.trim()) return
    if (text === before) onClose()
    else onSend(text)
  }
  return (
    <Stack gap="sm">
      <CommentEditor
        label={label}
        text={text}
        onChange={(next) => {
          setText(next)
          onDraft?.(next)
        }}
        onSubmit={send}
        onBusy={setIsBusy}
        isFocused
        error={sending.isError ? problemText(sending.error) : undefined}
      />
      <Group gap="xs">
        <Button size="xs" loading={sending.isPending} disabled={!text.trim() || isBusy} onClick={send}>
          {action}
        </Button>
        <Button size="xs" variant="default" onClick={onClose}>
          Cancel
        </Button>
      </Group>
    </Stack>
  )
}
