import { ActionIcon, Button, Group } from '@mantine/core'
import { IconDots, IconHistory, IconUpload } from '@tabler/icons-react'
import { Suspense } from 'react'
import { Link } from 'react-router'
import { useCommitWays } from '../../lib/commit-ways.ts'
import { pages } from '../../lib/pages.ts'
import { useRepo } from '../../lib/repo-context.ts'
import { useMe } from '../../lib/session.ts'
import { late } from '../../ui/late.tsx'
import { fetchAtRest, useOpening } from '../../ui/use-opening.ts'
import { FindFile } from './find-file.tsx'

const loadMenu = () => import('./more-menu.tsx')
const MoreMenu = late(loadMenu)

interface TreeActionsProps {
  rev: string
  path: string
}

/** What can be done with a folder. */
export function TreeActions({ rev, path }: TreeActionsProps) {
  const { repo } = useRepo()
  const [way] = useCommitWays(rev)
  const canCommit = way !== undefined
  return (
    <Group gap="xs">
      <FindFile rev={rev} />
      <Button
        size="xs"
        variant="default"
        leftSection={<IconHistory size={14} />}
        component={Link}
        to={pages.commits(repo, rev, path)}
      >
        History
      </Button>
      {canCommit && (
        <Button
          size="xs"
          leftSection={<IconUpload size={14} />}
          component={Link}
          to={pages.upload(repo, rev, path)}
          {...(way === 'direct' ? {} : { title: 'Opens a pull request', variant: 'default' })}
        >
          {way === 'direct' ? 'Upload' : 'Propose files'}
        </Button>
      )}
      <More rev={rev} path={path} canCommit={canCommit} />
    </Group>
  )
}

/** Opens what is done less often, fetched when a pointer or the focus comes near. */
function More(props: TreeActionsProps & { canCommit: boolean }) {
  const me = useMe()
  const { isOpen, setIsOpen, hasCome } = useOpening()
  if (!me) return null
  const button = (
    <ActionIcon
      variant={isOpen ? 'light' : 'default'}
      size={30}
      aria-label="More"
      aria-haspopup="menu"
      aria-expanded={isOpen}
      onPointerEnter={() => fetchAtRest(loadMenu)}
      onFocus={() => fetchAtRest(loadMenu)}
      onBlur={() => setIsOpen(false)}
      onClick={() => setIsOpen(!isOpen)}
    >
      <IconDots size={16} />
    </ActionIcon>
  )
  // Within the same boundary as the button: a new one would show its fallback at once.
  return (
    <Suspense fallback={button}>
      {hasCome ? <MoreMenu {...props} isOpen={isOpen} onChange={setIsOpen} /> : button}
    </Suspense>
  )
}
