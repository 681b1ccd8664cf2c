import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { pageAfter, useAreWaysKnown, useCommitChoice, type CommitChoice } from '../../lib/commit-ways.ts'
import { takeDropped } from '../../lib/dropped-files.ts'
import { pages } from '../../lib/pages.ts'
import { useRepo, useRevPath } from '../../lib/repo-context.ts'
import { useMe } from '../../lib/session.ts'
import { useUnsaved } from '../../lib/unsaved.ts'
import { Commands } from '../../ui/commands/commands.tsx'
import { uploadTo } from '../../lib/upload-to.ts'
import { CommitTarget } from '../../ui/commit-target.tsx'
import { EmptyState, PageSkeleton, SignInState } from '../../ui/states.tsx'
import { FileDrop } from './file-drop.tsx'
import { forget, remembered } from './memory.ts'
import { chosenFrom } from './paths.ts'
import { useUploadState } from './state.ts'
import { UploadList } from './upload-list.tsx'
import { UploadProgress } from './upload-progress.tsx'
import { Uploader } from './uploader.ts'
import { PageTitle } from '../../ui/page-title.tsx'

/** `…/upload/{rev}`: files and folders into a branch or a pull request. */
export function Component() {
  const { repo } = useRepo()
  const { rev } = useRevPath()
  const choice = useCommitChoice(rev)
  if (choice.ways.length === 0) return <Refused rev={rev} />
  return (
    <>
      <PageTitle>{`Upload to ${repo.full_name}`}</PageTitle>
      <UploadForm key={`${repo.id}:${rev}`} rev={rev} choice={choice} />
    </>
  )
}

function Refused({ rev }: { rev: string }) {
  const me = useMe()
  const { pathname, search } = useLocation()
  const isKnown = useAreWaysKnown(rev)
  if (me === null) return <SignInState next={pathname + search} />
  if (!isKnown) return <PageSkeleton />
  return (
    <EmptyState picture="lock" title={`Nothing can be uploaded to ${rev}`}>
      Uploads go to branches and open pull requests, by people who are signed in and may see the files.
    </EmptyState>
  )
}

/** The page's uploader, what it is doing, and the run to the commit, which leads to the files. */
function useUpload(rev: string) {
  const { repo, address } = useRepo()
  const [search] = useSearchParams()
  const folder = search.get('path') ?? ''
  const [uploader] = useState(() => new Uploader(address, rev))
  useEffect(() => () => uploader.close(), [uploader])
  // What was dropped on the page of the folder.
  useEffect(() => {
    const files = takeDropped()
    if (files.length > 0) uploader.add(chosenFrom(files, folder))
  }, [uploader, folder])
  const state = useUploadState(uploader.store)
  const isRunning = state.stage === 'planning' || state.stage === 'sending' || state.stage === 'committing'
  const markSaved = useUnsaved(state.entries.length > 0 && state.stage !== 'done')
  const navigate = useNavigate()
  const cache = useQueryClient()
  const run = async (title: string, choice: CommitChoice) => {
    const uploaded = await uploader.run(title, choice)
    if (!uploaded) return
    markSaved()
    await cache.invalidateQueries({ queryKey: ['repo', address.type, address.ns, address.name] })
    await navigate(pageAfter(repo, rev, uploaded.opened, pages.tree(repo, rev, folder)))
  }
  return { uploader, state, isRunning, folder, run }
}

function UploadForm({ rev, choice }: { rev: string; choice: CommitChoice }) {
  const { repo } = useRepo()
  const upload = useUpload(rev)
  const { uploader, state, isRunning, folder } = upload
  return (
    <Stack gap="md">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        To{' '}
        <Text span ff="monospace" inherit fw={600}>
          {[repo.name, folder].filter(Boolean).join('/')}
        </Text>{' '}
        on {rev}
      </Text>
      <Unfinished />
      <FileDrop folder={folder} isDisabled={isRunning} onFiles={(files) => uploader.add(files)} />
      {state.fault && <Alert color="danger">{state.fault}</Alert>}
      {state.entries.length === 0 ? (
        <Commands
          label="From a terminal or a program"
          of={uploadTo(repo, rev, choice.way === 'pull_request')}
        />
      ) : (
        <>
          <UploadProgress state={state} />
          <CommitForm {...upload} rev={rev} choice={choice} />
          <UploadList
            entries={state.entries}
            onRemove={isRunning ? undefined : (path) => uploader.remove(path)}
          />
        </>
      )}
    </Stack>
  )
}

type CommitFormProps = ReturnType<typeof useUpload> & { rev: string; choice: CommitChoice }

function CommitForm({ uploader, state, isRunning, run, rev, choice }: CommitFormProps) {
  const [title, setTitle] = useState('')
  const { length } = state.entries
  const defaultTitle = length === 1 ? `Upload ${state.entries[0]?.path ?? ''}` : `Upload ${length} files`
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void run(title || defaultTitle, choice)
      }}
    >
      <Stack gap="md">
        <TextInput
          label="Commit title"
          placeholder={defaultTitle}
          disabled={isRunning}
          value={title}
          onChange={(event) => setTitle(event.currentTarget.value)}
        />
        <CommitTarget rev={rev} choice={choice} isDisabled={isRunning} />
        <Group>
          <Button
            type="submit"
            loading={isRunning}
            disabled={state.entries.some((entry) => entry.phase === 'failed')}
          >
            {choice.way === 'pull_request'
              ? 'Open a pull request'
              : length === 1
                ? 'Upload the file'
                : `Upload ${length} files`}
          </Button>
          {isRunning && (
            <Button variant="default" onClick={() => uploader.cancel()}>
              Stop
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  )
}

/** Says which uploads a closed page left unfinished, and how they go on. */
function Unfinished() {
  const { address } = useRepo()
  const [entries, setEntries] = useState(() => remembered(address))
  if (entries.length === 0) return null
  const discard = () => {
    forget(address)
    setEntries([])
  }
  return (
    <Alert color="pending" title="Unfinished uploads">
      <Text size="sm" mb="xs">
        Choose the same {entries.length === 1 ? 'file' : 'files'} again to go on where the upload stopped:{' '}
        {entries.map((entry) => entry.path).join(', ')}
      </Text>
      <Button size="xs" variant="default" onClick={discard}>
        Start over instead
      </Button>
    </Alert>
  )
}
