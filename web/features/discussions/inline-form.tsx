import { Button, Group, Stack } from '@mantine/core'
import { useState, type ReactNode } from 'react'
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
  /** Another thing to do with the text. */
  second?: { action: string; onSend: (text: string) => void } | undefined
  /** Buttons beside the others, which may add to the text. */
  renderTools?: (add: (text: string) => void) => ReactNode
  sending: { isPending: boolean; isError: boolean; error: Error | null }
  onSend: (text: string) => void
  onClose: () => void
}

/** A comment that is written or edited where it stands. */
export function InlineForm(props: InlineFormProps) {
  const { label, action, before = '', draft, onDraft, second, renderTools, sending, onSend, onClose } = props
  const [text, setText] = useState(draft || before)
  const [isBusy, setIsBusy] = useState(false)
  // Keyed by what was added, so that the field has the focus behind it.
  const [added, setAdded] = useState(0)
  useUnsaved(text !== before)
  const change = (next: string) => {
    setText(next)
    onDraft?.(next)
  }
  const add = (more: string) => {
    change(text.trim() === '' ? `${more}\n` : `${text.trimEnd()}\n\n${more}\n`)
    setAdded(added + 1)
  }
  const send = () => {
    if (sending.isPending || !text.trim()) return
    if (text === before) onClose()
    else onSend(text)
  }
  return (
    <Stack gap="sm">
      <CommentEditor
        key={added}
        label={label}
        text={text}
        onChange={change}
        onSubmit={send}
        onBusy={setIsBusy}
        isFocused
        error={sending.isError ? problemText(sending.error) : undefined}
      />
      <Group gap="xs">
        <Button size="xs" loading={sending.isPending} disabled={!text.trim() || isBusy} onClick={send}>
          {action}
        </Button>
        {second && (
          <Button
            size="xs"
            variant="light"
            disabled={!text.trim() || isBusy || sending.isPending}
            onClick={() => second.onSend(text)}
          >
            {second.action}
          </Button>
        )}
        <Button size="xs" variant="default" onClick={onClose}>
          Cancel
        </Button>
        {renderTools?.(add)}
      </Group>
    </Stack>
  )
}
