import { Button, Group, TextInput } from '@mantine/core'
import { useState } from 'react'
import { problemText } from '../../lib/form-errors.ts'
import { useRepo } from '../../lib/repo-context.ts'
import type { Discussion } from '../../lib/types.ts'
import { useUnsaved } from '../../lib/unsaved.ts'
import { useUpdateDiscussion } from './queries.ts'

/** The form that gives a thread another title. */
export default function Retitle({ discussion, onClose }: { discussion: Discussion; onClose: () => void }) {
  const { address } = useRepo()
  const update = useUpdateDiscussion(address, discussion.num)
  const [title, setTitle] = useState(discussion.title)
  useUnsaved(title !== discussion.title)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (title.trim() === discussion.title) return onClose()
        update.mutate({ title: title.trim() }, { onSuccess: onClose })
      }}
    >
      <Group gap="xs" align="flex-start">
        <TextInput
          style={{ flex: '1 1 240px' }}
          aria-label="Title"
          required
          value={title}
          ref={(field) => field?.focus()}
          error={update.isError ? problemText(update.error) : undefined}
          onChange={(event) => setTitle(event.currentTarget.value)}
          onKeyDown={(event) => event.key === 'Escape' && onClose()}
        />
        <Button type="submit" loading={update.isPending} disabled={!title.trim()}>
          Save
        </Button>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
      </Group>
    </form>
  )
}
