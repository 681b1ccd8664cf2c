import { Alert, Button, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { pages } from '../../lib/pages.ts'
import { shellWord } from '../../lib/shell-word.ts'
import { useRepo } from '../../lib/repo-context.ts'
import { useMe } from '../../lib/session.ts'
import type { Discussion } from '../../lib/types.ts'
import { Changes } from '../../ui/diff/changes.tsx'
import { CutNote, isListCut } from '../../ui/diff/cut-note.tsx'
import { DiffView } from '../../ui/diff/file-change.tsx'
import { useIgnoresWhiteSpace, useWhiteSpaceOfAddress } from '../../ui/diff/white-space.ts'
import { late } from '../../ui/late.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { EmptyState } from '../../ui/states.tsx'
import CommandsForPull from './commands-for-pull.tsx'
import { pullDiffQuery, pullFilesQuery, type PullRequestFiles } from './pull-queries.ts'
import { FinishButton } from './review/finish-button.tsx'
import { usePendingReview } from './review/pending.ts'
import { ResolvedCount } from './review/resolved-count.tsx'
import { ReviewedFile, ReviewOfPull } from './review/review-of-pull.tsx'
import { commitsOf, useThread } from './thread.ts'

const DataChanges = late(() => import('../../ui/data-changes/data-changes.tsx'))

/** Those who have read the changes merge them here, without a way back to the conversation. */
const MergeBox = late(async () => ({ default: (await import('./merge-box.tsx')).MergeBox }))

/** What a pull request changes since it left its base, file by file. */
export function Component() {
  const { address } = useRepo()
  const discussion = useThread()
  const latest = discussion.pull_request?.head_commit ?? ''
  const [head, setHead] = useState(latest)
  const ignoresWhiteSpace = useWhiteSpaceOfAddress()
  const query = useQuery(pullFilesQuery(address, { num: discussion.num, head, ignoresWhiteSpace }))
  const commits = commitsOf(discussion)
  if (commits.length === 0) return <CommandsForPull discussion={discussion} />
  // After a commit of one's own the files may come before the thread that tells of it.
  const isBehind = (shown: string) => shown !== latest && commits.some(({ commit }) => commit?.sha === shown)
  return (
    <Loaded query={query}>
      {(compared) => (
        <Files
          discussion={discussion}
          compared={compared}
          {...(isBehind(compared.head_commit) && { onLoadLatest: () => setHead(latest) })}
        />
      )}
    </Loaded>
  )
}

interface FilesProps {
  discussion: Discussion
  compared: PullRequestFiles
  /** Shows the newest commits; absent while they are shown. */
  onLoadLatest?: () => void
}

function Files({ discussion, compared, onLoadLatest }: FilesProps) {
  const { repo, address } = useRepo()
  const { num } = discussion
  const me = useMe()
  const pending = usePendingReview(`${me?.id ?? ''}/${repo.id}/${num}`)
  const { files, truncated, base_commit: base, head_commit: head } = compared
  if (files.length === 0)
    return (
      <EmptyState picture="branch" title="Nothing is changed">
        Its commits leave every file as it was.
      </EmptyState>
    )
  return (
    <Stack gap="md">
      {onLoadLatest && <NewCommits onLoad={onLoadLatest} />}
      {truncated && <CutNote files={files} command={diffCommand(num, compared, '--stat')} />}
      {repo.type === 'dataset' && (
        <Suspense>
          <DataChanges commits={{ base, head }} />
        </Suspense>
      )}
      <ReviewOfPull discussion={discussion} head={head} pending={pending}>
        <Changes
          files={files}
          pull={`${address.type}/${address.ns}/${address.name}/${num}`}
          summary={<Amount compared={compared} />}
          progress={
            <>
              <ResolvedCount discussion={discussion} />
              <FinishButton discussion={discussion} head={head} pending={pending} />
            </>
          }
          pageOf={(path) => pages.blob(repo, head, path)}
        >
          {({ path }) => (
            <ReviewedFile path={path}>
              <PullDiff num={num} path={path} compared={compared} />
            </ReviewedFile>
          )}
        </Changes>
      </ReviewOfPull>
      {discussion.pull_request && !onLoadLatest && (
        <Suspense>
          <MergeBox discussion={discussion} pull={discussion.pull_request} />
        </Suspense>
      )}
    </Stack>
  )
}

/** Others have committed meanwhile. What is read, and a comment that is being written, stay until they are asked for. */
function NewCommits({ onLoad }: { onLoad: () => void }) {
  return (
    <Alert color="caution" role="status" title="This pull request has new commits">
      <Text size="sm">
        Below is what it changed before. Send or copy a comment that you are writing first; pending comments
        of a review are kept.
      </Text>
      <Button size="xs" mt="xs" onClick={onLoad}>
        Load them
      </Button>
    </Alert>
  )
}

function Amount({ compared: { files, truncated } }: { compared: PullRequestFiles }) {
  const sum = (key: 'additions' | 'deletions') => files.reduce((n, file) => n + (file[key] ?? 0), 0)
  return (
    <Text size="sm">
      {files.length}
      {isListCut(files, truncated) && ' or more'} {files.length === 1 ? 'file' : 'files'} changed,{' '}
      <Text span inherit c="safe" fw={600}>
        +{sum('additions')}
      </Text>{' '}
      <Text span inherit c="danger" fw={600}>
        −{sum('deletions')}
      </Text>
    </Text>
  )
}

/** Its commits come with no clone, so they are fetched first. */
const diffCommand = (num: number, { base_commit: base, head_commit: head }: PullRequestFiles, rest: string) =>
  `git fetch origin refs/pr/${num} && git diff ${base} ${head} ${rest}`

function PullDiff({ num, path, compared }: { num: number; path: string; compared: PullRequestFiles }) {
  const { address } = useRepo()
  const ignoresWhiteSpace = useIgnoresWhiteSpace()
  const query = useQuery(pullDiffQuery(address, { num, path, compared, ignoresWhiteSpace }))
  const command = diffCommand(num, compared, `-- ${shellWord(path)}`)
  return (
    <Loaded query={query}>
      {(diff) => <DiffView diff={diff} command={command} head={compared.head_commit} />}
    </Loaded>
  )
}
