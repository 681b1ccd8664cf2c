import {
  IconCards,
  IconChartBar,
  IconFiles,
  IconMessages,
  IconSettings,
  IconTable,
} from '@tabler/icons-react'
import { useLocation } from 'react-router'
import { pages, segmentsBelowRepo } from '../../lib/pages.ts'
import { hasRole } from '../../lib/repo-context.ts'
import type { Repo } from '../../lib/types.ts'
import { LinkTabs } from '../../ui/link-tabs.tsx'

/** The tab that a page belongs to, by the segment that follows the repo in its address. */
export function tabOf(segment: string | undefined): string {
  if (segment === undefined) return 'card'
  if (segment === 'discussions') return 'community'
  if (segment === 'sql') return 'viewer'
  return ['settings', 'insights', 'viewer'].includes(segment) ? segment : 'files'
}

/** Card, Viewer of datasets, Files, Community, Insights, Settings. */
export function RepoTabs({ repo }: { repo: Repo }) {
  const [first] = segmentsBelowRepo(useLocation().pathname)
  const current = tabOf(first)
  const tabs = [
    { id: 'card', to: pages.repo(repo), label: 'Card', icon: <IconCards size={16} /> },
    {
      id: 'viewer',
      to: pages.viewer(repo),
      label: 'Viewer',
      icon: <IconTable size={16} />,
      isAbsent: repo.type !== 'dataset',
    },
    {
      id: 'files',
      to: pages.tree(repo, repo.default_branch),
      label: 'Files',
      icon: <IconFiles size={16} />,
    },
    {
      id: 'community',
      to: pages.discussions(repo),
      label: 'Community',
      icon: <IconMessages size={16} />,
      isAbsent: !repo.discussions_enabled && current !== 'community',
    },
    { id: 'insights', to: pages.insights(repo), label: 'Insights', icon: <IconChartBar size={16} /> },
    {
      id: 'settings',
      to: pages.repoSettings(repo),
      label: 'Settings',
      icon: <IconSettings size={16} />,
      isAbsent: !hasRole(repo, 'admin'),
    },
  ]
  return <LinkTabs label="Repo" tabs={tabs.filter(({ isAbsent }) => !isAbsent)} current={current} />
}
