import { Tabs } from '@mantine/core'
import { IconCards, IconFiles, IconSettings } from '@tabler/icons-react'
import { useLocation, useNavigate } from 'react-router'
import { pages, segmentsBelowRepo } from '../../lib/pages.ts'
import { hasRole } from '../../lib/repo-context.ts'
import type { Repo } from '../../lib/types.ts'

/** Card, Files, Settings, as links that the arrow keys move between. */
export function RepoTabs({ repo }: { repo: Repo }) {
  const [first] = segmentsBelowRepo(useLocation().pathname)
  const navigate = useNavigate()
  const targets: Record<string, string> = {
    card: pages.repo(repo),
    files: pages.tree(repo, repo.default_branch),
    settings: pages.repoSettings(repo),
  }
  const current = first === undefined ? 'card' : first === 'settings' ? 'settings' : 'files'
  return (
    <Tabs
      value={current}
      activateTabWithKeyboard={false}
      onChange={(value) => void navigate(targets[value ?? 'card'] ?? targets['card']!)}
    >
      <Tabs.List>
        <Tabs.Tab value="card" leftSection={<IconCards size={14} />}>
          Card
        </Tabs.Tab>
        <Tabs.Tab value="files" leftSection={<IconFiles size={14} />}>
          Files
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
