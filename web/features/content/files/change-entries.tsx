import { Alert, Button, Group, List, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { api } from '../../../lib/api.ts'
import { pageAfter, targetOf, useCommitChoice } from '../../../lib/commit-ways.ts'
import { problemText } from '../../../lib/form-errors.ts'
import { useMutation } from '../../../lib/mutation.ts'
import { notifyDone } from '../../../lib/notify.ts'
import { pages } from '../../../lib/pages.ts'
import { useRepo } from '../../../lib/repo-context.ts'
import type { CommitOperation, RepoAddress, TreeEntry } from '../../../lib/types.ts'
import { CommitTarget } from '../../../ui/commit-target.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { useCommit } from '../queries.ts'
import { moveOperations, movesInto, movesTo } from './move-operations.ts'

export type Change = 'delete' | 'move' | 'rename'

interface ChangeEntriesProps {
  change: Change
  entries: TreeEntry[]
  rev: string
  /** The folder they are in. */
  folder: string
  onDone: () => void
  onClose: () => void
}

const words = {
  delete: { verb: 'Delete', done: 'deleted' },
  move: { verb: 'Move', done: 'moved' },
  rename: { verb: 'Rename', done: 'renamed' },
} as const

/** Deletes, moves or renames entries of a folder by one commit. */
export default function ChangeEntries(props: ChangeEntriesProps) {
  const { change, entries, rev, folder, onDone, onClose } = props
  const { repo, address } = useRepo()
  const [first] = entries
  const [target, setTarget] = useState(change === 'rename' ? (first?.path ?? '') : folder)
  const [title, setTitle] = useState('')
  const choice = useCommitChoice(rev)
  const commit = useCommit(address)
  const navigate = useNavigate()
  const { verb, done } = words[change]
  const what = entries.length === 1 ? (first?.path ?? '') : `${entries.length} entries`
  const plain = change === 'delete' ? `Delete ${what}` : `${verb} ${what} to ${target || 'the top'}`
  const run = useMutation({
    mutationFn: async () => {
      const operations = await operationsFor(address, rev, change, entries, target)
      return commit.mutateAsync({ ...targetOf(rev, choice), title: title || plain, operations })
    },
    onSuccess: ({ pull_request: opened }) => {
      onDone()
      onClose()
      if (!opened) notifyDone(`${what} ${entries.length === 1 ? 'is' : 'are'} ${done}`)
      else void navigate(pageAfter(repo, rev, opened.num, pages.tree(repo, rev, folder)))
    },
  })
  return (
    <Dialog title={`${verb} ${what}`} onClose={onClose} size="lg">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          run.mutate(undefined)
        }}
      >
        <Stack gap="sm">
          {run.isError && <Alert color="danger">{problemText(run.error)}</Alert>}
          {entries.length > 1 && (
            <List size="sm" ff="monospace" mah={160} style={{ overflowY: 'auto', overflowWrap: 'anywhere' }}>
              {entries.map(({ path }) => (
                <List.Item key={path}>{path}</List.Item>
              ))}
            </List>
          )}
          {change === 'delete' ? (
            <Text size="sm">
              They disappear from {rev}
              {choice.way === 'pull_request' && ' once the pull request is merged'}. Earlier commits keep
              them.
            </Text>
          ) : (
            <TextInput
              label={change === 'rename' ? 'New path' : 'To folder'}
              description={
                change === 'move' ? 'Empty for the top of the repo. It is made if needed.' : undefined
              }
              data-autofocus
              required={change === 'rename'}
              ff="monospace"
              value={target}
              onChange={(event) => setTarget(event.currentTarget.value)}
            />
          )}
          <TextInput
            label="Commit title"
            placeholder={plain}
            value={title}
            onChange={(event) => setTitle(event.currentTarget.value)}
          />
          <CommitTarget rev={rev} choice={choice} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button
              type="submit"
              loading={run.isPending}
              {...(change === 'delete' ? { color: 'danger' } : {})}
              disabled={change !== 'delete' && target === (change === 'rename' ? first?.path : folder)}
            >
              {choice.way === 'pull_request' ? 'Open a pull request' : `${verb} ${what}`}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

async function operationsFor(
  address: RepoAddress,
  rev: string,
  change: Change,
  entries: TreeEntry[],
  target: string,
): Promise<CommitOperation[]> {
  if (change === 'delete')
    return entries.map(({ path, kind }) => ({
      op: 'delete' as const,
      path,
      ...(kind === 'directory' ? { recursive: true } : {}),
    }))
  const moves = await Promise.all(
    entries.map(async ({ path, kind }) => {
      const files = kind === 'file' ? [path] : await filesBelow(address, rev, path)
      return change === 'move' ? movesInto(target, path, files) : movesTo(target, path, files)
    }),
  )
  return moveOperations(moves.flat())
}

/** More would not fit into one commit. */
const maxPages = 20

async function filesBelow(address: RepoAddress, rev: string, path: string): Promise<string[]> {
  const found: string[] = []
  let cursor = ''
  for (let page = 0; page < maxPages; page++) {
    const query = { recursive: 'true' as const, limit: 500, ...(cursor ? { cursor } : {}) }
    const listing = await api.getTreePath({ params: { ...address, rev, path }, query })
    found.push(...listing.entries.filter(({ kind }) => kind === 'file').map((entry) => entry.path))
    cursor = listing.next_cursor
    if (!cursor) return found
  }
  throw new Error(`${path} holds too many files to move at once. Move them with git.`)
}
