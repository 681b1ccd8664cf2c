import { Alert, Button, Group, Stack, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { pageAfter, targetOf, useCommitChoice, useCommitWays } from '../../lib/commit-ways.ts'
import { problemText } from '../../lib/form-errors.ts'
import { pages } from '../../lib/pages.ts'
import { useRepo, useRevPath } from '../../lib/repo-context.ts'
import { CommitTarget } from '../../ui/commit-target.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { PathBar } from './path-bar.tsx'
import { useCommit } from './queries.ts'

/** `…/new/{rev}/{path}`: writes a text file and commits it, or proposes it. */
export function Component() {
  const { rev } = useRevPath()
  if (useCommitWays(rev).length > 0) return <NewFile />
  return (
    <EmptyState title={`${rev} cannot be changed here`}>
      Commits go to branches and open pull requests, by people who are signed in.
    </EmptyState>
  )
}

function NewFile() {
  const { repo, address } = useRepo()
  const { rev, path: folder } = useRevPath()
  const [search] = useSearchParams()
  const form = useForm({ initialValues: { name: search.get('name') ?? '', text: '', title: '' } })
  const choice = useCommitChoice(rev)
  const commit = useCommit(address)
  const navigate = useNavigate()
  const submit = form.onSubmit(({ name, text, title }) => {
    const path = folder ? `${folder}/${name}` : name
    commit.mutate(
      {
        ...targetOf(rev, choice.way),
        title: title || `Create ${path}`,
        operations: [{ op: 'add', path, text }],
      },
      {
        onSuccess: ({ pull_request: opened }) =>
          void navigate(pageAfter(repo, rev, opened?.num, pages.blob(repo, rev, path))),
      },
    )
  })
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <PathBar rev={rev} path={folder} />
        {commit.isError && <Alert color="danger">{problemText(commit.error)}</Alert>}
        <TextInput label="File name" required {...form.getInputProps('name')} />
        <Textarea
          label="Text"
          autosize
          minRows={16}
          maxRows={40}
          spellCheck={false}
          styles={mono}
          {...form.getInputProps('text')}
        />
        <TextInput
          label="Commit title"
          placeholder={`Create ${form.values.name || 'file'}`}
          {...form.getInputProps('title')}
        />
        <CommitTarget rev={rev} choice={choice} />
        <Group>
          <Button type="submit" loading={commit.isPending}>
            {choice.way === 'pull_request' ? 'Open a pull request' : `Commit to ${rev}`}
          </Button>
          <Button variant="default" component={Link} to={pages.tree(repo, rev, folder)}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

const mono = { input: { fontFamily: 'var(--mantine-font-family-monospace)' } }
