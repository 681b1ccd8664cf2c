import { Alert, List, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { targetOf } from '../../lib/commit-ways.ts'
import { notifyProblem } from '../../lib/notify.ts'
import { pages } from '../../lib/pages.ts'
import { useRepo } from '../../lib/repo-context.ts'
import type { CommitDetail } from '../../lib/types.ts'
import { DraftChoice } from '../../ui/commit-target.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormActions } from '../../ui/form-actions.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { comparisonQuery } from './diff-queries.ts'
import { useCommit } from './queries.ts'
import { changedSince, revertOperations } from './revert-operations.ts'

/** Files that are named at most. */
const few = 10

interface RevertCommitProps {
  commit: CommitDetail
  parent: string
  onClose: () => void
}

/** Opens a pull request that brings the files of a commit back to how they were before it. */
export default function RevertCommit({ commit, parent, onClose }: RevertCommitProps) {
  const { repo, address } = useRepo()
  const branch = repo.default_branch
  const since = useQuery(comparisonQuery(address, { base: commit.sha, head: branch }))
  const [title, setTitle] = useState(`Revert "${commit.title}"`)
  const [isDraft, setDraft] = useState(false)
  const make = useCommit(address)
  const navigate = useNavigate()
  const submit = () =>
    make.mutate(
      {
        ...targetOf(branch, { way: 'pull_request', isDraft }),
        title,
        body: `This reverts commit ${commit.sha}.`,
        operations: revertOperations(commit.files, parent),
      },
      {
        onSuccess: ({ pull_request: opened }) =>
          navigate(opened ? pages.discussion(repo, opened.num) : pages.commits(repo, branch)),
        onError: notifyProblem,
      },
    )
  return (
    <Dialog onClose={onClose} title="Revert this commit">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (!make.isPending) submit()
        }}
      >
        <Stack gap="sm">
          <Text size="sm">
            A pull request onto {branch} brings back {commit.files.length === 1 ? 'the file' : 'the files'} as{' '}
            {commit.files.length === 1 ? 'it was' : 'they were'} before this commit.
          </Text>
          <Loaded query={since}>
            {({ files }) => <ChangedSince paths={changedSince(commit.files, files)} />}
          </Loaded>
          <TextInput
            label="Commit title"
            required
            value={title}
            onChange={(event) => setTitle(event.currentTarget.value)}
          />
          <DraftChoice isDraft={isDraft} setDraft={setDraft} />
          <FormActions isPending={make.isPending} isDisabled={!title.trim()} onClose={onClose}>
            Open a pull request
          </FormActions>
        </Stack>
      </form>
    </Dialog>
  )
}

function ChangedSince({ paths }: { paths: string[] }) {
  if (paths.length === 0) return null
  return (
    <Alert color="caution" title="Changed again since">
      <Text size="sm">
        The pull request takes back later changes of these files as well. Check its diff before you merge it.
      </Text>
      <List size="sm" mt={4}>
        {paths.slice(0, few).map((path) => (
          <List.Item key={path} ff="monospace" style={{ overflowWrap: 'anywhere' }}>
            {path}
          </List.Item>
        ))}
      </List>
      {paths.length > few && <Text size="sm">and {paths.length - few} more</Text>}
    </Alert>
  )
}
