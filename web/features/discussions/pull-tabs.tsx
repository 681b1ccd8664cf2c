import { IconFileDiff, IconGitCommit, IconMessageCircle } from '@tabler/icons-react'
import { useLocation } from 'react-router'
import { pages, segmentsBelowRepo } from '../../lib/pages.ts'
import { useRepo } from '../../lib/repo-context.ts'
import type { Discussion } from '../../lib/types.ts'
import { LinkTabs } from '../../ui/link-tabs.tsx'
import { commitsOf } from './thread.ts'

/** Conversation, commits, files changed. */
export function PullTabs({ discussion }: { discussion: Discussion }) {
  const { repo } = useRepo()
  const [, , last] = segmentsBelowRepo(useLocation().pathname)
  const at = (tab: '' | 'commits' | 'files') => pages.discussion(repo, discussion.num, tab)
  return (
    <LinkTabs
      label="Pull request"
      current={last ?? 'conversation'}
      tabs={[
        { id: 'conversation', to: at(''), label: 'Conversation', icon: <IconMessageCircle size={16} /> },
        {
          id: 'commits',
          to: at('commits'),
          label: `Commits ${commitsOf(discussion).length}`,
          icon: <IconGitCommit size={16} />,
        },
        { id: 'files', to: at('files'), label: 'Files changed', icon: <IconFileDiff size={16} /> },
      ]}
    />
  )
}
