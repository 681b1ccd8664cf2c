import { Alert, Button, Group, Paper, SegmentedControl, Stack, Textarea } from '@mantine/core'
import { useState, type KeyboardEvent } from 'react'
import { limits } from '../../../shared/vocabulary.ts'
import { problemText } from '../../lib/form-errors.ts'
import { notifyDone } from '../../lib/notify.ts'
import { useUnsaved } from '../../lib/unsaved.ts'
import Markdown from '../../ui/markdown/markdown.tsx'
import { useSetReadme } from './queries.ts'
import { readmeBase } from './readme-base.ts'

interface ReadmeFormProps {
  ns: string
  /** The text as it was when the form was opened. */
  seen: string
  onClose: () => void
}

const modes = ['Write', 'Preview']

/** Writes the README of a person or an organisation. */
export default function ReadmeForm({ ns, seen: shown, onClose }: ReadmeFormProps) {
  // A refetch brings what others have written meanwhile, which must not pass for what was edited.
  const [seen] = useState(shown)
  const [text, setText] = useState(seen)
  const [mode, setMode] = useState(modes[0] ?? '')
  const [base] = useState(() => readmeBase(ns))
  const set = useSetReadme(ns)
  const markSaved = useUnsaved(text !== seen)
  const save = () =>
    set.mutate(
      { text, seen },
      {
        onSuccess: () => {
          markSaved()
          notifyDone(text === '' ? 'README removed' : 'README saved')
          onClose()
        },
      },
    )
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save()
  }
  const bytes = new TextEncoder().encode(text).length
  const fault = bytes > limits.readmeBytes ? 'A README may have at most 64 KiB. Make it shorter.' : undefined
  return (
    <Paper withBorder p="md" component="section" aria-label="README">
      <Stack gap="sm">
        <SegmentedControl
          size="xs"
          w="fit-content"
          aria-label="Write or preview"
          data={modes}
          value={mode}
          onChange={setMode}
        />
        {mode === 'Preview' ? (
          <Markdown text={text} base={base} />
        ) : (
          <Textarea
            aria-label="README in Markdown"
            autosize
            minRows={8}
            maxRows={24}
            data-autofocus
            autoFocus
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            value={text}
            error={fault}
            onChange={(event) => setText(event.currentTarget.value)}
            onKeyDown={onKeyDown}
          />
        )}
        {set.error && (
          <Alert color="danger" role="alert">
            {problemText(set.error)}
          </Alert>
        )}
        <Group gap="xs">
          <Button size="xs" loading={set.isPending} disabled={fault !== undefined} onClick={save}>
            Save README
          </Button>
          <Button size="xs" variant="default" onClick={onClose}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </Paper>
  )
}
