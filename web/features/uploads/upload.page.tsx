import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { pages } from '../../lib/pages.ts'
import { hasRole, useRepo, useRevPath } from '../../lib/repo-context.ts'
import { CommandLine } from '../../ui/command-line.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { FileDrop } from './file-drop.tsx'
import { forget, remembered } from './memory.ts'
import { useUploadState } from './state.ts'
import { UploadList } from './upload-list.tsx'
import { UploadProgress } from './upload-progress.tsx'
import { Uploader } from './uploader.ts'

/** `…/upload/{rev}`: files and folders into a branch. */
export function Component() {
  const { repo } = useRepo()
  const { rev } = useRevPath()
  if (!hasRole(repo, 'write')) return <EmptyState title="Only writers of this Repo may upload" />
  return (
    <>
      <title>{`Upload to ${repo.full_name} · Arsenal`}</title>
      <UploadForm key={`${repo.id}:${rev}`} rev={rev} />
    </>
  )
}

/** The page's uploader, what it is doing, and the run to the Commit, which leads to the files. */
function useUpload(rev: string) {
  const { repo, address } = useRepo()
  const [search] = useSearchParams()
  const folder = search.get('path') ?? ''
  const [uploader] = useState(() => new Uploader(address, rev))
  useEffect(() => () => uploader.close(), [uploader])
  const state = useUploadState(uploader.store)
  const isRunning = state.stage === 'planning' || state.stage === 'sending' || state.stage === 'committing'
  useLeaveWarning(isRunning)
  const navigate = useNavigate()
  const cache = useQueryClient()
  const run = async (title: string) => {
    const sha = await uploader.run(title)
    if (sha === undefined) return
    await cache.invalidateQueries({ queryKey: ['repo', address.type, address.ns, address.name] })
    await navigate(pages.tree(repo, rev, folder))
  }
  return { uploader, state, isRunning, folder, run }
}

function UploadForm({ rev }: { rev: string }) {
  const { repo } = useRepo()
  const upload = useUpload(rev)
  const { uploader, state, isRunning, folder } = upload
  const kind = repo.type === 'dataset' ? ' --repo-type dataset' : ''
  return (
    <Stack gap="md">
      <Text size="sm">
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
        <CommandLine label="From a terminal" command={`hf upload ${repo.full_name} ./folder${kind}`} />
      ) : (
        <>
          <UploadProgress state={state} />
          <CommitForm {...upload} />
          <UploadList
            entries={state.entries}
            onRemove={isRunning ? undefined : (path) => uploader.remove(path)}
          />
        </>
      )}
    </Stack>
  )
}

function CommitForm({ uploader, state, isRunning, run }: ReturnType<typeof useUpload>) {
  const [title, setTitle] = useState('')
  const { length } = state.entries
  const defaultTitle = length === 1 ? `Upload ${state.entries[0]?.path ?? ''}` : `Upload ${length} files`
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void run(title || defaultTitle)
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
        <Group>
          <Button
            type="submit"
            loading={isRunning}
            disabled={state.entries.some((entry) => entry.phase === 'failed')}
          >
            {length === 1 ? 'Upload the file' : `Upload ${length} files`}
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
        Begin anew instead
      </Button>
    </Alert>
  )
}

function useLeaveWarning(isRunning: boolean): void {
  useEffect(() => {
    if (!isRunning) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [isRunning])
}
