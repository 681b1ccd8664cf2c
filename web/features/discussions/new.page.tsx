import { Alert, Button, Group, SegmentedControl, Stack, Text, TextInput, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import type { DiscussionKind } from '../../../shared/vocabulary.ts'
import { showProblem } from '../../lib/form-errors.ts'
import { pages } from '../../lib/pages.ts'
import { useRepo } from '../../lib/repo-context.ts'
import { useUnsaved } from '../../lib/unsaved.ts'
import { SignInState } from '../../ui/states.tsx'
import { CommentEditor } from './comment-editor.tsx'
import { Forum } from './forum.tsx'
import { useOpenDiscussion } from './open-discussion.ts'
import { useRights } from './rights.ts'
import { WaysToPropose } from './ways-to-propose.tsx'
import { PageTitle } from '../../ui/page-title.tsx'

/** `…/discussions/new`: opens a discussion, or a pull request. */
export function Component() {
  const { repo } = useRepo()
  const { isSignedIn } = useRights()
  const { pathname, search } = useLocation()
  if (isSignedIn === false) return <SignInState next={pathname + search} />
  return (
    <Forum>
      <PageTitle>{`New discussion in ${repo.full_name}`}</PageTitle>
      <NewDiscussion />
    </Forum>
  )
}

const kindChoices = [
  { value: 'discussion', label: 'Discussion' },
  { value: 'pull_request', label: 'Pull request' },
]

function NewDiscussion() {
  const { repo } = useRepo()
  const [search, setSearch] = useSearchParams()
  const { canBeChanged } = useRights()
  const kind: DiscussionKind = search.get('kind') === 'pull_request' ? 'pull_request' : 'discussion'
  return (
    <Stack gap="md" maw={820}>
      <Title order={2}>{kind === 'discussion' ? 'New discussion' : 'New pull request'}</Title>
      <SegmentedControl
        w="fit-content"
        aria-label="What to open"
        data={kindChoices}
        value={kind}
        onChange={(value) => setSearch(value === 'discussion' ? {} : { kind: value }, { replace: true })}
      />
      {kind === 'pull_request' &&
        (canBeChanged ? (
          <WaysToPropose />
        ) : (
          <Alert color="caution">
            {repo.disabled
              ? `This ${repo.type} is disabled, so nothing can be changed in it.`
              : 'The repo has no files yet, so there is nothing that a pull request could change.'}
          </Alert>
        ))}
      {(kind === 'discussion' || canBeChanged) && <NewForm kind={kind} />}
    </Stack>
  )
}

function NewForm({ kind }: { kind: DiscussionKind }) {
  const { repo, address } = useRepo()
  const open = useOpenDiscussion(address)
  const navigate = useNavigate()
  const [fault, setFault] = useState<string>()
  const [isBusy, setIsBusy] = useState(false)
  const form = useForm({ initialValues: { title: '', body: '' } })
  const markSaved = useUnsaved(form.values.title.trim() !== '' || form.values.body.trim() !== '')
  const submit = form.onSubmit(({ title, body }) => {
    if (open.isPending || isBusy) return
    setFault(undefined)
    open.mutate(
      { kind, title, body },
      {
        onSuccess: ({ num }) => {
          markSaved()
          void navigate(pages.discussion(repo, num))
        },
        onError: (error) => setFault(showProblem(form, error)),
      },
    )
  })
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {kind === 'pull_request' && (
          <Text size="sm" c="dimmed">
            Or open one without commits, to be made afterwards:
          </Text>
        )}
        {fault && <Alert color="danger">{fault}</Alert>}
        <TextInput label="Title" required {...form.getInputProps('title')} />
        <CommentEditor
          label="Description"
          text={form.values.body}
          onChange={(body) => form.setFieldValue('body', body)}
          onSubmit={() => submit()}
          onBusy={setIsBusy}
          error={typeof form.errors['body'] === 'string' ? form.errors['body'] : undefined}
          minRows={8}
        />
        <Group>
          <Button type="submit" loading={open.isPending} disabled={isBusy}>
            {kind === 'discussion' ? 'Open the discussion' : 'Open without commits'}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
