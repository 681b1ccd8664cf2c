import { Tabs } from '@mantine/core'
import { IconFileDiff, IconGitCommit, IconMessageCircle } from '@tabler/icons-react'
import { useLocation, useNavigate } from 'react-router'
import { pages, segmentsBelowRepo } from '../../lib/pages.ts'
import { useRepo } from '../../lib/repo-context.ts'
import type { Discussion } from '../../lib/types.ts'
import classes from '../../ui/ui.module.css'
import { commitsOf } from './thread.ts'

const tabs = ['commits', 'files'] as const

/** Conversation, commits, Files changed. */
export function PullTabs({ discussion }: { discussion: Discussion }) {
  const { repo } = useRepo()
  const [, , last] = segmentsBelowRepo(useLocation().pathname)
  const navigate = useNavigate()
  const current = tabs.find((tab) => tab === last) ?? ''
  return (
    <Tabs
      value={current || 'conversation'}
      activateTabWithKeyboard={false}
      classNames={{ tab: classes['tab'] ?? '', tabSection: classes['tabIcon'] ?? '' }}
      onChange={(value) =>
        void navigate(pages.discussion(repo, discussion.num, tabs.find((tab) => tab === value) ?? ''))
      }
    >
      <Tabs.List aria-label="Pull request">
        <Tabs.Tab value="conversation" leftSection={<IconMessageCircle size={14} />}>
          Conversation
        </Tabs.Tab>
        <Tabs.Tab value="commits" leftSection={<IconGitCommit size={14} />}>
          Commits {commitsOf(discussion).length}
        </Tabs.Tab>
        <Tabs.Tab value="files" leftSection={<IconFileDiff size={14} />}>
          Files changed
        </Tabs.Tab>
      </Tabs.List>
    </Tabs>
  )
}
