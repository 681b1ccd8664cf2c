import { Button, Group, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useInfiniteQuery } from '@tanstack/react-query'
import {
  IconAlertTriangle,
  IconDownload,
  IconHistory,
  IconLink,
  IconPencil,
  IconTrash,
} from '@tabler/icons-react'
import { Suspense } from 'react'
import { Link, Navigate, useLocation } from 'react-router'
import { fileUrl } from '../../../shared/transfer.ts'
import { useCommitWays } from '../../lib/commit-ways.ts'
import { copyText } from '../../lib/copy-text.ts'
import { notifyDone } from '../../lib/notify.ts'
import { pages } from '../../lib/pages.ts'
import { mayReadFiles, useRepo, useRevPath } from '../../lib/repo-context.ts'
import type { TreeEntry, TreeListing } from '../../lib/types.ts'
import { late } from '../../ui/late.tsx'
import { ErrorState, PageSkeleton } from '../../ui/states.tsx'
import { BlobView } from './blob-view.tsx'
import { FileFacts } from './file-facts.tsx'
import { FindFile } from './find-file.tsx'
import { isTextKind, isTextTable, kindOf } from './kind.ts'
import { PathBar } from './path-bar.tsx'
import { FileSafety } from './safety/file-safety.tsx'
import { usePermalink } from './permalink.ts'
import { maxTextBytes, treeQuery } from './queries.ts'
import { RevPicker } from './rev-picker.tsx'

const DeleteEntry = late(async () => ({ default: (await import('./delete-entry.tsx')).DeleteEntry }))

/** `…/blob/{rev}/{path}`: one file. */
export function Component() {
  const { repo, address } = useRepo()
  const { rev, path } = useRevPath()
  const query = useInfiniteQuery(treeQuery(address, { rev, path }))
  const listing = query.data?.pages[0]
  usePermalink(listing)
  if (listing?.kind === 'directory') return <Navigate to={pages.tree(repo, rev, path)} replace />
  return (
    <Stack gap="sm" className="in-order">
      <title>{`${path} · ${repo.full_name} · Arsenal`}</title>
      <Group justify="space-between" gap="sm">
        <Group gap="sm">
          <RevPicker rev={rev} pageAt={(name) => pages.blob(repo, name, path)} />
          <PathBar rev={rev} path={path} />
        </Group>
        {listing?.file && <Actions listing={listing} file={listing.file} rev={rev} />}
      </Group>
      {query.isError && !listing && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <PageSkeleton />}
      {listing?.file && isFlagged(listing.file) && <FileSafety rev={rev} path={path} />}
      {listing?.file &&
        (mayReadFiles(repo) ? (
          <BlobView key={`${rev}:${path}`} file={listing.file} rev={rev} />
        ) : (
          <FileFacts file={listing.file} />
        ))}
      {listing?.file && !isFlagged(listing.file) && <FileSafety rev={rev} path={path} />}
      <FindFile rev={rev} isHidden />
    </Stack>
  )
}

/** What one should read before the file itself. */
const isFlagged = ({ scan }: TreeEntry) => scan === 'unsafe' || scan === 'suspicious' || scan === 'failed'

function Actions({ listing, file, rev }: { listing: TreeListing; file: TreeEntry; rev: string }) {
  const { repo } = useRepo()
  const { hash } = useLocation()
  const permalink = pages.blob(repo, listing.commit, file.path)
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
  const kind = kindOf(file)
  const hasText = kind === 'table' ? isTextTable(file) : isTextKind(kind)
  const isText = hasText && !file.lfs && file.size <= maxTextBytes
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
