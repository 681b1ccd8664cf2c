import { Alert, Button, Group, Stack, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { problemText } from '../../lib/form-errors.ts'
import { pages } from '../../lib/pages.ts'
import { useRepo, useRevPath } from '../../lib/repo-context.ts'
import { EmptyState } from '../../ui/states.tsx'
import { useCanCommit } from './branches.ts'
import { PathBar } from './path-bar.tsx'
import { useCommit } from './queries.ts'

/** `…/new/{rev}/{path}`: writes a text file and commits it. */
export function Component() {
  const { repo, address } = useRepo()
  const { rev, path: folder } = useRevPath()
  const [search] = useSearchParams()
  const [name, setName] = useState(search.get('name') ?? '')
  const [text, setText] = useState('')
  const [title, setTitle] = useState('')
  const commit = useCommit(address)
  const navigate = useNavigate()
  const canCommit = useCanCommit(rev)
  const path = folder ? `${folder}/${name}` : name
  const submit = () =>
    commit.mutate(
      { branch: rev, title: title || `Create ${path}`, operations: [{ op: 'add', path, text }] },
      { onSuccess: () => void navigate(pages.blob(repo, rev, path)) },
    )
  if (!canCommit)
    return (
      <EmptyState title={`${rev} cannot be changed here`}>
        Only writers may commit, and only to a branch.
      </EmptyState>
    )
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <Stack gap="sm">
        <PathBar rev={rev} path={folder} />
        {commit.isError && <Alert color="danger">{problemText(commit.error)}</Alert>}
        <TextInput
          label="File name"
          required
          ff="monospace"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Textarea
          label="Text"
          autosize
          minRows={16}
          maxRows={40}
          spellCheck={false}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <TextInput
          label="Commit title"
          placeholder={`Create ${name || 'file'}`}
          value={title}
          onChange={(event) => setTitle(event.currentTarget.value)}
        />
        <Group>
          <Button type="submit" loading={commit.isPending}>
            Commit to {rev}
          </Button>
          <Button variant="default" onClick={() => void navigate(pages.tree(repo, rev, folder))}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
