import { Group, Stack } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Navigate } from 'react-router'
import { pages } from '../../lib/pages.ts'
import { mayReadFiles, useRepo, useRevPath } from '../../lib/repo-context.ts'
import type { TreeEntry, TreeListing } from '../../lib/types.ts'
import { ErrorState, PageSkeleton } from '../../ui/states.tsx'
import { FileActions, isFlagged } from './file-actions.tsx'
import { FileFacts } from './file-facts.tsx'
import { FindFile } from './find-file.tsx'
import { PathBar } from './path-bar.tsx'
import { usePermalink } from './permalink.ts'
import { treeQuery } from './queries.ts'
import { RevPicker } from './rev-picker.tsx'
import { FileSafety } from './safety/file-safety.tsx'

/** A file at the revision of the address. */
export interface ShownFile {
  listing: TreeListing
  file: TreeEntry
  rev: string
}

interface FilePageProps {
  title: string
  view: 'blob' | 'blame'
  children: (shown: ShownFile) => ReactNode
}

/** A page about one file: where it is, what can be done with it, and what the page shows of it. */
export function FilePage({ title, view, children }: FilePageProps) {
  const { repo, address } = useRepo()
  const { rev, path } = useRevPath()
  const query = useInfiniteQuery(treeQuery(address, { rev, path }))
  const listing = query.data?.pages[0]
  usePermalink(listing, view)
  if (listing?.kind === 'directory') return <Navigate to={pages.tree(repo, rev, path)} replace />
  const file = listing?.file
  return (
    <Stack gap="sm" className="in-order">
      <title>{`${title}${path} · ${repo.full_name} · Arsenal`}</title>
      <Group justify="space-between" gap="sm">
        <Group gap="sm">
          <RevPicker rev={rev} pageAt={(name) => pages[view](repo, name, path)} />
          <PathBar rev={rev} path={path} />
        </Group>
        {file && <FileActions listing={listing} file={file} rev={rev} view={view} />}
      </Group>
      {query.isError && !listing && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <PageSkeleton />}
      {file && isFlagged(file) && <FileSafety rev={rev} path={path} />}
      {file && (mayReadFiles(repo) ? children({ listing, file, rev }) : <FileFacts file={file} />)}
      {file && !isFlagged(file) && <FileSafety rev={rev} path={path} />}
      <FindFile rev={rev} isHidden />
    </Stack>
  )
}
