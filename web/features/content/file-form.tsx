import { Alert, Anchor, Button, Group, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { ApiProblem } from '../../../shared/client.ts'
import { pageAfter, targetOf, useCommitChoice } from '../../lib/commit-ways.ts'
import { problemText } from '../../lib/form-errors.ts'
import { pages } from '../../lib/pages.ts'
import { useRepo } from '../../lib/repo-context.ts'
import { useUnsaved } from '../../lib/unsaved.ts'
import { CommitTarget } from '../../ui/commit-target.tsx'
import { Editor } from './editor/editor.tsx'
import type { TextSource } from './editor/text-editor.tsx'
import { PathBar } from './path-bar.tsx'
import { useCommitText, type TextBefore } from './queries.ts'

interface FileFormProps {
  rev: string
  folder: string
  name: string
  /** The file as it is; left out for one to be. */
  before?: TextBefore
}

/** Writes a text file, new or as it shall be from now on, and commits it or proposes it. */
export function FileForm({ rev, folder, name: initialName, before }: FileFormProps) {
  const { repo, address } = useRepo()
  const form = useForm({ initialValues: { name: initialName, title: '' } })
  const choice = useCommitChoice(rev)
  const commit = useCommitText(address, rev, before)
  const navigate = useNavigate()
  const [isChanged, setIsChanged] = useState(false)
  const [source, setSource] = useState<TextSource>()
  const markSaved = useUnsaved(isChanged || form.values.title !== '')
  const pathOf = (name: string) => before?.path ?? (folder ? `${folder}/${name}` : name)
  const verb = before ? 'Update' : 'Create'
  const submit = form.onSubmit(({ name, title }) => {
    const path = pathOf(name)
    const text = source?.text()
    if (text === undefined) return
    commit.mutate(
      { path, text, target: targetOf(rev, choice), title: title || `${verb} ${path}` },
      {
        onSuccess: ({ pull_request: opened }) => {
          markSaved()
          void navigate(pageAfter(repo, rev, opened?.num, pages.blob(repo, rev, path)))
        },
      },
    )
  })
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <PathBar rev={rev} path={before?.path ?? folder} />
        {commit.isError && <Refused error={commit.error} rev={rev} before={before} />}
        {!before && <TextInput label="File name" required {...form.getInputProps('name')} />}
        <Editor
          rev={rev}
          path={pathOf(form.values.name)}
          before={before?.text ?? ''}
          source={source}
          onReady={setSource}
          isChanged={isChanged}
          onChange={setIsChanged}
        />
        <TextInput
          label="Commit title"
          placeholder={`${verb} ${before?.path ?? (form.values.name || 'file')}`}
          {...form.getInputProps('title')}
        />
        <CommitTarget rev={rev} choice={choice} />
        <Group>
          <Button type="submit" loading={commit.isPending} disabled={before !== undefined && !isChanged}>
            {choice.way === 'pull_request' ? 'Open a pull request' : `Commit to ${rev}`}
          </Button>
          <Button
            variant="default"
            component={Link}
            to={before ? pages.blob(repo, rev, before.path) : pages.tree(repo, rev, folder)}
          >
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** What was refused; where somebody else has changed the file meanwhile, the way to their text. */
function Refused({ error, rev, before }: { error: unknown; rev: string; before: TextBefore | undefined }) {
  const { repo } = useRepo()
  if (!before || !(error instanceof ApiProblem) || error.code !== 'commit-conflict')
    return <Alert color="danger">{problemText(error)}</Alert>
  return (
    <Alert color="caution" title="Somebody else has changed this file meanwhile">
      Nothing was committed. Take your text along, then edit{' '}
      <Anchor
        component={Link}
        to={pages.blob(repo, rev, before.path)}
        target="_blank"
        inherit
        underline="always"
      >
        the file as it is now
      </Anchor>
      .
    </Alert>
  )
}
