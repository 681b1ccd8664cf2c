import { Button, Group, Stack, Textarea } from '@mantine/core'
import { useState } from 'react'
import { limits } from '../../../shared/vocabulary.ts'
import { problemText } from '../../lib/form-errors.ts'
import type { Collection } from '../../lib/types.ts'
import { useUnsaved } from '../../lib/unsaved.ts'
import { useNoteItem, type CollectionAddress } from './queries.ts'
import { nameOf } from './words.ts'

interface NoteFormProps {
  item: Collection['items'][number]
  at: CollectionAddress
  onClose: () => void
}

/** What is said of an item of a collection; emptied, it is taken away. */
export function NoteForm({ item, at, onClose }: NoteFormProps) {
  const [text, setText] = useState(item.note ?? '')
  const note = useNoteItem(at)
  useUnsaved(text !== (item.note ?? ''))
  const save = () => {
    if (!note.isPending) note.mutate({ id: item.id, note: text }, { onSuccess: onClose })
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <Stack gap={6} mt={4}>
        <Textarea
          size="xs"
          aria-label={`Note on ${nameOf(item)}`}
          description="Ctrl+Enter saves it."
          inputWrapperOrder={['input', 'description', 'error']}
          autosize
          minRows={2}
          maxLength={limits.collectionNote}
          autoFocus
          value={text}
          error={note.error && problemText(note.error)}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
            event.preventDefault()
            save()
          }}
        />
        <Group gap="xs">
          <Button type="submit" size="compact-xs" loading={note.isPending}>
            Save
          </Button>
          <Button size="compact-xs" variant="default" onClick={onClose}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
