import { ActionIcon, Menu } from '@mantine/core'
import { IconDots, IconFilePlus, IconTrash, IconZip } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { notifyProblem } from '../../lib/notify.ts'
import { pages } from '../../lib/pages.ts'
import { useRepo } from '../../lib/repo-context.ts'
import { DeleteEntry } from './delete-entry.tsx'
import { useCreateZip } from './queries.ts'

interface MoreMenuProps {
  rev: string
  path: string
  canCommit: boolean
  isOpen: boolean
  onChange: (isOpen: boolean) => void
}

/** What is done less often with a folder. */
export default function MoreMenu({ rev, path, canCommit, isOpen, onChange }: MoreMenuProps) {
  const opener = useRef<HTMLButtonElement>(null)
  const { repo, address } = useRepo()
  const navigate = useNavigate()
  const zip = useCreateZip(address)
  const [isDeleting, setIsDeleting] = useState(false)
  const startZip = () =>
    zip.mutate(
      { rev, path },
      { onSuccess: (job) => void navigate(pages.job(job.id)), onError: notifyProblem },
    )
  return (
    <>
      <Menu
        position="bottom-end"
        withinPortal
        opened={isOpen}
        onChange={onChange}
        onClose={() => opener.current?.focus({ preventScroll: true })}
      >
        <Menu.Target>
          <ActionIcon ref={opener} variant="default" size={30} aria-label="More">
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
