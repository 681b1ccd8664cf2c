import { Button, Text } from '@mantine/core'
import { IconCircleCheck, IconGitMerge, IconGitPullRequestClosed, IconHelpCircle } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { late } from '../../ui/late.tsx'
import { ListSkeleton } from '../../ui/states.tsx'
import { CommitLink } from './event-line.tsx'
import { useRights } from './rights.ts'
import { MergeFrame as Frame } from './merge-frame.tsx'
import { Verdicts } from './review/verdicts.tsx'
import { commitsOf, type PullProps } from './thread.ts'

const MergeForm = late(() => import('./merge-form.tsx'))
const CommandsForPull = late(() => import('./commands-for-pull.tsx'))
const Conflicts = late(() => import('./conflicts.tsx'))
const Draft = late(() => import('./draft.tsx'))

/** Whether a pull request can be merged, what stands in the way, and the merge itself. */
export function MergeBox(props: PullProps) {
  return (
    <Suspense fallback={<ListSkeleton rows={2} />}>
      <MergeState {...props} />
    </Suspense>
  )
}

function MergeState({ discussion, pull }: PullProps) {
  if (pull.merge_commit) return <Merged base={pull.base} sha={pull.merge_commit} />
  if (discussion.status === 'closed')
    return (
      <Frame title="Closed without being merged" color="gray" icon={<IconGitPullRequestClosed size={18} />}>
        <Text size="sm">Its commits are kept; once it is open again it can be merged.</Text>
      </Frame>
    )
  if (commitsOf(discussion).length === 0) return <CommandsForPull discussion={discussion} />
  if (pull.draft) return <Draft discussion={discussion} />
  if (pull.mergeable === 'conflicts') return <Conflicts pull={pull} />
  if (pull.mergeable === 'unknown')
    return (
      <Frame
        title="Can't determine whether this merges cleanly"
        color="caution"
        icon={<IconHelpCircle size={18} />}
      >
        <Text size="sm">The branch {pull.base} may be gone, or share no history with this pull request.</Text>
      </Frame>
    )
  if (pull.approvals?.held) return <Held discussion={discussion} pull={pull} />
  return <Mergeable discussion={discussion} pull={pull} />
}

/** A rule of the base asks for approvals that are missing. */
function Held({ discussion, pull: { base, approvals } }: PullProps) {
  const { required = 0, given = 0 } = approvals ?? {}
  return (
    <Frame title="Waiting for reviews" color="caution" icon={<IconHelpCircle size={18} />}>
      <Verdicts discussion={discussion} isHeld />
      <Text size="sm">
        A rule of {base} requires {required} {required === 1 ? 'approval' : 'approvals'} of the newest
        commits. It has {given}.
      </Text>
    </Frame>
  )
}

function Merged({ base, sha }: { base: string; sha: string }) {
  return (
    <Frame title={`Merged into ${base}`} color="accent" icon={<IconGitMerge size={18} />}>
      <Text size="sm" component="div">
        As commit <CommitLink sha={sha} />. Its ref and this thread are kept.
      </Text>
    </Frame>
  )
}

function Mergeable({ discussion, pull }: PullProps) {
  const { canMerge } = useRights()
  const [isMerging, setIsMerging] = useState(false)
  return (
    <Frame title={`Can be merged into ${pull.base}`} color="safe" icon={<IconCircleCheck size={18} />}>
      <Verdicts discussion={discussion} />
      {!canMerge ? (
        <Text size="sm" c="dimmed">
          Somebody who may write to this repo can merge it.
        </Text>
      ) : isMerging ? (
        <Suspense fallback={<ListSkeleton rows={4} />}>
          <MergeForm discussion={discussion} pull={pull} onClose={() => setIsMerging(false)} />
        </Suspense>
      ) : (
        <Button
          data-key="m"
          w="fit-content"
          leftSection={<IconGitMerge size={16} />}
          onClick={() => setIsMerging(true)}
        >
          Merge…
        </Button>
      )}
    </Frame>
  )
}
