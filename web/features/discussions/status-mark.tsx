import { Badge } from '@mantine/core'
import {
  IconCircleCheck,
  IconGitMerge,
  IconGitPullRequest,
  IconGitPullRequestClosed,
  IconGitPullRequestDraft,
  IconMessageCircle,
} from '@tabler/icons-react'
import type { Discussion } from '../../lib/types.ts'
import { standingOf } from './thread.ts'

/** By kind and standing; a discussion that is closed is done with, a pull request refused. */
const looks = {
  discussion: {
    open: { Icon: IconMessageCircle, color: 'safe' },
    closed: { Icon: IconCircleCheck, color: 'gray' },
    merged: { Icon: IconCircleCheck, color: 'gray' },
    draft: { Icon: IconMessageCircle, color: 'gray' },
  },
  pull_request: {
    open: { Icon: IconGitPullRequest, color: 'safe' },
    closed: { Icon: IconGitPullRequestClosed, color: 'danger' },
    merged: { Icon: IconGitMerge, color: 'accent' },
    draft: { Icon: IconGitPullRequestDraft, color: 'gray' },
  },
}

/** How a discussion stands, as a badge. */
export function StatusMark({ discussion }: { discussion: Discussion }) {
  const standing = standingOf(discussion)
  const { Icon, color } = looks[discussion.kind][standing]
  return (
    <Badge variant="light" color={color} leftSection={<Icon size={12} aria-hidden />}>
      {standing}
    </Badge>
  )
}

/** How a discussion stands, as an icon. */
export function StatusIcon({ discussion }: { discussion: Discussion }) {
  const standing = standingOf(discussion)
  const { Icon, color } = looks[discussion.kind][standing]
  const kind = discussion.kind === 'discussion' ? 'discussion' : 'pull request'
  return (
    <Icon
      size={16}
      role="img"
      aria-label={`${standing} ${kind}`}
      style={{ flexShrink: 0, marginTop: 2, color: `var(--mantine-color-${color}-text)` }}
    />
  )
}
