import { ActionIcon, Button, Group, Menu } from '@mantine/core'
import { IconDots, IconFilePlus, IconHistory, IconTrash, IconUpload, IconZip } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { useCommitWays } from '../../lib/commit-ways.ts'
import { notifyProblem } from '../../lib/notify.ts'
import { pages } from '../../lib/pages.ts'
import { useRepo } from '../../lib/repo-context.ts'
import { useMe } from '../../lib/session.ts'
import { DeleteEntry } from './delete-entry.tsx'
import { FindFile } from './find-file.tsx'
import { useCreateZip } from './queries.ts'

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
      <MoreMenu rev={rev} path={path} canCommit={canCommit} />
    </Group>
  )
}

function MoreMenu({ rev, path, canCommit }: { rev: string; path: string; canCommit: boolean }) {
  const { repo, address } = useRepo()
  const me = useMe()
  const navigate = useNavigate()
  const zip = useCreateZip(address)
  const [isDeleting, setIsDeleting] = useState(false)
  const startZip = () =>
    zip.mutate(
      { rev, path },
      { onSuccess: (job) => void navigate(pages.job(job.id)), onError: notifyProblem },
    )
  if (!me) return null
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon variant="default" size={30} aria-label="More">
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconZip size={14} />} onClick={startZip}>
            Download as zip
          </Menu.Item>
          {canCommit && (
            <Menu.Item
              leftSection={<IconFilePlus size={14} />}
              component={Link}
              to={pages.newFile(repo, rev, path)}
            >
              New file
            </Menu.Item>
          )}
          {canCommit && path && (
            <Menu.Item
              color="danger"
              leftSection={<IconTrash size={14} />}
              onClick={() => setIsDeleting(true)}
            >
              Delete this folder
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {isDeleting && <DeleteEntry rev={rev} path={path} kind="folder" onClose={() => setIsDeleting(false)} />}
    </>
  )
}
