import { Tabs } from '@mantine/core'
import { IconCards, IconChartBar, IconFiles, IconMessages, IconSettings } from '@tabler/icons-react'
import { useLocation, useNavigate } from 'react-router'
import { pages, segmentsBelowRepo } from '../../lib/pages.ts'
import { hasRole } from '../../lib/repo-context.ts'
import type { Repo } from '../../lib/types.ts'
import classes from '../../ui/ui.module.css'

/** The tab that a page belongs to, by the segment that follows the repo in its address. */
export function tabOf(segment: string | undefined): string {
  if (segment === undefined) return 'card'
  if (segment === 'discussions') return 'community'
  return segment === 'settings' || segment === 'insights' ? segment : 'files'
}

/** Card, Files, Community, Insights, Settings, as links that the arrow keys move between. */
export function RepoTabs({ repo }: { repo: Repo }) {
  const [first] = segmentsBelowRepo(useLocation().pathname)
  const navigate = useNavigate()
  const targets: Record<string, string> = {
    card: pages.repo(repo),
    files: pages.tree(repo, repo.default_branch),
    community: pages.discussions(repo),
    insights: pages.insights(repo),
    settings: pages.repoSettings(repo),
  }
  const current = tabOf(first)
  return (
    <Tabs
      value={current}
      activateTabWithKeyboard={false}
      classNames={{ tab: classes['tab'] ?? '', tabSection: classes['tabIcon'] ?? '' }}
      onChange={(value) => void navigate(targets[value ?? 'card'] ?? targets['card']!)}
    >
      <Tabs.List>
        <Tabs.Tab value="card" leftSection={<IconCards size={14} />}>
          Card
        </Tabs.Tab>
        <Tabs.Tab value="files" leftSection={<IconFiles size={14} />}>
          Files
        </Tabs.Tab>
        {(repo.discussions_enabled || current === 'community') && (
          <Tabs.Tab value="community" leftSection={<IconMessages size={14} />}>
            Community
          </Tabs.Tab>
        )}
        <Tabs.Tab value="insights" leftSection={<IconChartBar size={14} />}>
          Insights
        </Tabs.Tab>
        {hasRole(repo, 'admin') && (
          <Tabs.Tab value="settings" leftSection={<IconSettings size={14} />}>
            Settings
          </Tabs.Tab>
        )}
      </Tabs.List>
    </Tabs>
  )
}
