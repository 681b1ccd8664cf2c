import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { notifyDone, notifyProblem } from '../../lib/notify.ts'
import { pages } from '../../lib/pages.ts'
import { useRepo } from '../../lib/repo-context.ts'
import { useCommit } from './queries.ts'

interface DeleteEntryProps {
  rev: string
  path: string
  kind: 'file' | 'folder'
  onClose: () => void
}

/** Deletes a file or a folder by a Commit to the branch. */
export function DeleteEntry({ rev, path, kind, onClose }: DeleteEntryProps) {
  const { repo, address } = useRepo()
  const [title, setTitle] = useState(`Delete ${path}`)
  const commit = useCommit(address)
  const navigate = useNavigate()
  const parent = path.split('/').slice(0, -1).join('/')
  const operation = { op: 'delete' as const, path, ...(kind === 'folder' ? { recursive: true } : {}) }
  const submit = () =>
    commit.mutate(
      { branch: rev, title, operations: [operation] },
      {
        onSuccess: () => {
          notifyDone(`${path} is deleted`)
          void navigate(pages.tree(repo, rev, parent))
        },
        onError: notifyProblem,
      },
    )
  return (
    <Modal opened onClose={onClose} title={`Delete this ${kind}`}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <Stack gap="sm">
          <Text size="sm">It disappears from {rev}; earlier Commits keep it.</Text>
          <TextInput
            label="Commit title"
            required
            value={title}
            onChange={(event) => setTitle(event.currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Keep it
            </Button>
            <Button type="submit" color="danger" loading={commit.isPending}>
              Delete {kind}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
