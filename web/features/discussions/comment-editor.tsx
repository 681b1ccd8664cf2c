import { Box, Group, SegmentedControl, Stack, Text, Textarea } from '@mantine/core'
import { Suspense, useState } from 'react'
import { late } from '../../ui/late.tsx'
import { ListSkeleton } from '../../ui/states.tsx'
import classes from './discussions.module.css'

const CommentText = late(() => import('./comment-text.tsx'))

interface CommentEditorProps {
  label: string
  text: string
  onChange: (text: string) => void
  /** Called by Ctrl+Enter or Cmd+Enter. */
  onSubmit: () => void
  error?: string | undefined
  minRows?: number
  isFocused?: boolean
}

/** A place to write Markdown, and to see what becomes of it. */
export function CommentEditor({
  label,
  text,
  onChange,
  onSubmit,
  error,
  minRows = 4,
  isFocused = false,
}: CommentEditorProps) {
  const [mode, setMode] = useState('Write')
  return (
    <Stack gap={6}>
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={500} aria-hidden>
          {label}
        </Text>
        <SegmentedControl
          size="xs"
          aria-label={`${label}: write or preview`}
          data={['Write', 'Preview']}
          value={mode}
          onChange={setMode}
        />
      </Group>
      {mode === 'Write' ? (
        <Textarea
          aria-label={label}
          description="Markdown. Ctrl+Enter sends it."
          inputWrapperOrder={['input', 'description', 'error']}
          autosize
          minRows={minRows}
          maxRows={24}
          ref={isFocused ? focusAtEnd : undefined}
          value={text}
          error={error}
          onChange={(event) => onChange(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
            event.preventDefault()
            onSubmit()
          }}
        />
      ) : (
        <Box className={classes['preview'] ?? ''} role="region" aria-label="Preview">
          {text.trim() ? (
            <Suspense fallback={<ListSkeleton rows={1} />}>
              <CommentText key={text} id="preview" text={text} />
            </Suspense>
          ) : (
            <Text c="dimmed">Nothing to preview.</Text>
          )}
        </Box>
      )}
    </Stack>
  )
}

function focusAtEnd(field: HTMLTextAreaElement | null): void {
  if (!field || field.dataset['focused']) return
  field.dataset['focused'] = 'yes'
  field.focus()
  field.setSelectionRange(field.value.length, field.value.length)
}
