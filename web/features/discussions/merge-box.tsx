import { Anchor, Button, Code, Text } from '@mantine/core'
import {
  IconCircleCheck,
  IconGitMerge,
  IconGitPullRequestClosed,
  IconGitPullRequestConflict,
  IconHelpCircle,
} from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { Link } from 'react-router'
import { useCommitWays } from '../../lib/commit-ways.ts'
import { pages } from '../../lib/pages.ts'
import { useRepo } from '../../lib/repo-context.ts'
import { CommandLine } from '../../ui/command-line.tsx'
import { late } from '../../ui/late.tsx'
import { ListSkeleton } from '../../ui/states.tsx'
import { CommandsForPull, useUploadCommand } from './commands-for-pull.tsx'
import { CommitLink } from './event-line.tsx'
import { useRights } from './rights.ts'
import { Draft } from './draft.tsx'
import { MergeFrame as Frame } from './merge-frame.tsx'
import { commitsOf, type PullProps } from './thread.ts'

const MergeForm = late(() => import('./merge-form.tsx'))

/** Whether a pull request can be merged, what stands in the way, and the merge itself. */
export function MergeBox({ discussion, pull }: PullProps) {
  if (pull.merge_commit) return <Merged base={pull.base} sha={pull.merge_commit} />
  if (discussion.status === 'closed')
    return (
      <Frame title="Closed without being merged" color="gray" icon={<IconGitPullRequestClosed size={18} />}>
        <Text size="sm">Its Commits are kept; once it is open again it can be merged.</Text>
      </Frame>
    )
  if (commitsOf(discussion).length === 0) return <CommandsForPull discussion={discussion} />
  if (pull.draft) return <Draft discussion={discussion} />
  if (pull.mergeable === 'conflicts') return <Conflicts pull={pull} />
  if (pull.mergeable === 'unknown')
    return (
      <Frame
        title="It cannot be said whether this can be merged"
        color="caution"
        icon={<IconHelpCircle size={18} />}
      >
        <Text size="sm">The branch {pull.base} may be gone, or share no history with this pull request.</Text>
      </Frame>
    )
  return <Mergeable discussion={discussion} pull={pull} />
}

function Merged({ base, sha }: { base: string; sha: string }) {
  return (
    <Frame title={`Merged into ${base}`} color="accent" icon={<IconGitMerge size={18} />}>
      <Text size="sm" component="div">
        As Commit <CommitLink sha={sha} />. Its ref and this thread are kept.
      </Text>
    </Frame>
  )
}

function Mergeable({ discussion, pull }: PullProps) {
  const { canMerge } = useRights()
  const [isMerging, setIsMerging] = useState(false)
  return (
    <Frame title={`Can be merged into ${pull.base}`} color="safe" icon={<IconCircleCheck size={18} />}>
      {!canMerge ? (
        <Text size="sm" c="dimmed">
          Somebody who may write to this Repo can merge it.
        </Text>
      ) : isMerging ? (
        <Suspense fallback={<ListSkeleton rows={4} />}>
          <MergeForm discussion={discussion} pull={pull} onClose={() => setIsMerging(false)} />
        </Suspense>
      ) : (
        <Button w="fit-content" leftSection={<IconGitMerge size={16} />} onClick={() => setIsMerging(true)}>
          Merge…
        </Button>
      )}
    </Frame>
  )
}

function Conflicts({ pull }: { pull: PullProps['pull'] }) {
  const { repo } = useRepo()
  const canCommit = useCommitWays(pull.ref).length > 0
  const command = useUploadCommand(pull.ref)
  return (
    <Frame
      title={`Conflicts with ${pull.base}`}
      color="caution"
      icon={<IconGitPullRequestConflict size={18} />}
    >
      {pull.conflicts.length > 0 && (
        <>
          <Text size="sm">Both have changed the same parts of:</Text>
          <ul aria-label="Files in conflict" style={{ margin: 0, paddingLeft: 20 }}>
            {pull.conflicts.map((path) => (
              <ConflictingFile key={path} path={path} pull={pull} canCommit={canCommit} />
            ))}
          </ul>
        </>
      )}
      <Text size="sm">
        A Commit to <Code>{pull.ref}</Code> that takes over what {pull.base} has changed there resolves it.
      </Text>
      {canCommit && (
        <>
          <Button
            size="xs"
            variant="default"
            w="fit-content"
            component={Link}
            to={pages.upload(repo, pull.ref)}
          >
            Upload resolved files
          </Button>
          <CommandLine label="From a terminal" command={command} />
        </>
      )}
    </Frame>
  )
}

interface ConflictingFileProps {
  path: string
  pull: PullProps['pull']
  canCommit: boolean
}

/** A file that both sides have changed, as each has it, and the way to make one of them. */
function ConflictingFile({ path, pull, canCommit }: ConflictingFileProps) {
  const { repo } = useRepo()
  return (
    <li>
      <Anchor
        component={Link}
        to={pages.blob(repo, pull.ref, path)}
        ff="monospace"
        size="sm"
        underline="always"
        style={{ overflowWrap: 'anywhere' }}
      >
        {path}
      </Anchor>
      <Anchor
        component={Link}
        to={pages.blob(repo, pull.base, path)}
        size="sm"
        ml={10}
        aria-label={`${path} on ${pull.base}`}
      >
        on {pull.base}
      </Anchor>
      {canCommit && (
        <Anchor
          component={Link}
          to={pages.editFile(repo, pull.ref, path)}
          size="sm"
          ml={10}
          aria-label={`Edit ${path}`}
        >
          edit
        </Anchor>
      )}
    </li>
  )
}
