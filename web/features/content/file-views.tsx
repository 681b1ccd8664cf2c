import { Button, Group } from '@mantine/core'
import { Link, useLocation } from 'react-router'
import { pages } from '../../lib/pages.ts'
import { useRepo } from '../../lib/repo-context.ts'
import type { TreeEntry } from '../../lib/types.ts'
import { hasBlame, kindOf, previews } from './kind.ts'

interface FileViewsProps {
  file: TreeEntry
  rev: string
  current: 'blob' | 'blame'
}

/** The pages of a text: as it is, and with the commits of its lines; the chosen lines go along. */
export function FileViews({ file, rev, current }: FileViewsProps) {
  const { repo } = useRepo()
  const { hash } = useLocation()
  const [first = 'Code', ...others] = previews[kindOf(file)] ?? []
  if (current === 'blob' && !hasBlame(file)) return null
  const blame = ['blame', 'Blame'] as const
  // The page of a file that can be shown in several ways has them beside this.
  const views = current === 'blob' && others.length > 0 ? [blame] : [['blob', first] as const, blame]
  return (
    <Group gap={4} component="nav" aria-label="Views of the file">
      {views.map(([view, label]) => (
        <Button
          key={view}
          size="compact-sm"
          variant={view === current ? 'light' : 'subtle'}
          color="gray"
          c="inherit"
          component={Link}
          to={pages[view](repo, rev, file.path) + hash}
          aria-current={view === current ? 'page' : undefined}
        >
          {label}
        </Button>
      ))}
    </Group>
  )
}
