import { Button, Group } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import {
  IconAlertTriangle,
  IconDownload,
  IconHistory,
  IconLink,
  IconPencil,
  IconTrash,
} from '@tabler/icons-react'
import { Suspense } from 'react'
import { Link, useLocation } from 'react-router'
import { fileUrl } from '../../../shared/transfer.ts'
import { useCommitWays } from '../../lib/commit-ways.ts'
import { copyText } from '../../lib/copy-text.ts'
import { notifyDone } from '../../lib/notify.ts'
import { pages } from '../../lib/pages.ts'
import { mayReadFiles, useRepo } from '../../lib/repo-context.ts'
import type { TreeEntry, TreeListing } from '../../lib/types.ts'
import { late } from '../../ui/late.tsx'
import { hasText } from './kind.ts'
import { maxTextBytes } from './queries.ts'

const DeleteEntry = late(async () => ({ default: (await import('./delete-entry.tsx')).DeleteEntry }))

/** What one should read before the file itself. */
export const isFlagged = ({ scan }: TreeEntry) =>
  scan === 'unsafe' || scan === 'suspicious' || scan === 'failed'

interface FileActionsProps {
  listing: TreeListing
  file: TreeEntry
  rev: string
  /** Which page of the file this is. */
  view: 'blob' | 'blame'
}

/** What can be done with a file. */
export function FileActions({ listing, file, rev, view }: FileActionsProps) {
  const { repo } = useRepo()
  const { hash } = useLocation()
  const permalink = pages[view](repo, listing.commit, file.path)
  return (
    <Group gap="xs">
      {mayReadFiles(repo) ? (
        <Download file={file} rev={rev} />
      ) : (
        <Button size="xs" component="a" href="#access">
          {repo.access === 'pending' ? 'Access requested' : 'Request access'}
        </Button>
      )}
      <Button
        size="xs"
        variant="default"
        leftSection={<IconLink size={14} />}
        component={Link}
        to={permalink + hash}
        replace
        title="Copies the address of this file as it is at this commit"
        onClick={() =>
          void copyText(new URL(permalink + hash, location.origin).href).then(
            (isCopied) => isCopied && notifyDone('Permalink copied'),
          )
        }
      >
        Permalink
      </Button>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconHistory size={14} />}
        component={Link}
        to={pages.commits(repo, rev, file.path)}
      >
        History
      </Button>
      <EditFile file={file} rev={rev} />
      <DeleteFile file={file} rev={rev} />
    </Group>
  )
}

/** The file itself, to look at and to keep. */
function Download({ file, rev }: { file: TreeEntry; rev: string }) {
  const { address } = useRepo()
  return (
    <>
      <Button size="xs" variant="default" component="a" href={fileUrl(address, rev, file.path, 'raw')}>
        Raw
      </Button>
      <Button
        size="xs"
        variant="default"
        {...(isFlagged(file)
          ? { leftSection: <IconAlertTriangle size={14} />, c: 'var(--mantine-color-error)' }
          : { leftSection: <IconDownload size={14} /> })}
        title={isFlagged(file) ? 'Read what the scan says of this file before you load it.' : undefined}
        component="a"
        href={fileUrl(address, rev, file.path)}
        download={file.name}
      >
        Download
      </Button>
    </>
  )
}

function EditFile({ file, rev }: { file: TreeEntry; rev: string }) {
  const { repo } = useRepo()
  const isText = hasText(file) && !file.lfs && file.size <= maxTextBytes
  if (useCommitWays(rev).length === 0 || !isText) return null
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconPencil size={14} />}
      component={Link}
      to={pages.editFile(repo, rev, file.path)}
    >
      Edit
    </Button>
  )
}

function DeleteFile({ file, rev }: { file: TreeEntry; rev: string }) {
  const [isOpen, { open, close }] = useDisclosure(false)
  if (useCommitWays(rev).length === 0) return null
  return (
    <>
      <Button
        size="xs"
        variant="default"
        c="var(--mantine-color-error)"
        leftSection={<IconTrash size={14} />}
        onClick={open}
      >
        Delete
      </Button>
      <Suspense>{isOpen && <DeleteEntry rev={rev} path={file.path} kind="file" onClose={close} />}</Suspense>
    </>
  )
}
