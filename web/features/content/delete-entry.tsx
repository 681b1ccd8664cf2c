import { Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { pageAfter, targetOf, useCommitChoice } from '../../lib/commit-ways.ts'
import { notifyDone, notifyProblem } from '../../lib/notify.ts'
import { pages } from '../../lib/pages.ts'
import { useRepo } from '../../lib/repo-context.ts'
import { CommitTarget } from '../../ui/commit-target.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormActions } from '../../ui/form-actions.tsx'
import { useCommit } from './queries.ts'

interface DeleteEntryProps {
  rev: string
  path: string
  kind: 'file' | 'folder'
  onClose: () => void
}

/** Deletes a file or a folder by a commit, or asks for it by a pull request. */
export function DeleteEntry({ rev, path, kind, onClose }: DeleteEntryProps) {
  const { repo, address } = useRepo()
  const [title, setTitle] = useState(`Delete ${path}`)
  const choice = useCommitChoice(rev)
  const commit = useCommit(address)
  const navigate = useNavigate()
  const parent = path.split('/').slice(0, -1).join('/')
  const operation = { op: 'delete' as const, path, ...(kind === 'folder' ? { recursive: true } : {}) }
  const submit = () =>
    commit.mutate(
      { ...targetOf(rev, choice), title, operations: [operation] },
      {
        onSuccess: ({ pull_request: opened }) => {
          if (!opened) notifyDone(`${path} is deleted`)
          void navigate(pageAfter(repo, rev, opened?.num, pages.tree(repo, rev, parent)))
        },
        onError: notifyProblem,
      },
    )
  return (
    <Dialog onClose={onClose} title={`Delete this ${kind}`}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <Stack gap="sm">
          <Text size="sm">
            It disappears from {rev}
            {choice.way === 'pull_request' && ' once that is merged'}; earlier commits keep it.
          </Text>
          <TextInput
            label="Commit title"
            required
            value={title}
            onChange={(event) => setTitle(event.currentTarget.value)}
          />
          <CommitTarget rev={rev} choice={choice} />
          <FormActions isPending={commit.isPending} isDanger onClose={onClose}>
            {choice.way === 'pull_request' ? 'Open a pull request' : `Delete ${kind}`}
          </FormActions>
        </Stack>
      </form>
    </Dialog>
  )
}
