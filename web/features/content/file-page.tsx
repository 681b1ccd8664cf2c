import { ActionIcon, Box, Group, Stack } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useInfiniteQuery } from '@tanstack/react-query'
import { IconLayoutSidebar } from '@tabler/icons-react'
import { Suspense, useState, type ReactNode } from 'react'
import { Navigate } from 'react-router'
import { pages } from '../../lib/pages.ts'
import { mayReadFiles, useRepo, useRevPath } from '../../lib/repo-context.ts'
import type { TreeEntry, TreeListing } from '../../lib/types.ts'
import { late } from '../../ui/late.tsx'
import { ErrorState, PageSkeleton } from '../../ui/states.tsx'
import { FileActions, isFlagged } from './file-actions.tsx'
import { FileFacts } from './file-facts.tsx'
import { FindFile } from './find-file.tsx'
import { PathBar } from './path-bar.tsx'
import { usePermalink } from './permalink.ts'
import { treeQuery } from './queries.ts'
import { RevPicker } from './rev-picker.tsx'
import { FileSafety } from './safety/file-safety.tsx'
import { savedSide, saveSide } from './side/side-shown.ts'
import { PageTitle } from '../../ui/page-title.tsx'

const FileSide = late(() => import('./side/file-side.tsx'))

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
  const side = useSide()
  usePermalink(listing, view)
  if (listing?.kind === 'directory') return <Navigate to={pages.tree(repo, rev, path)} replace />
  const file = listing?.file
  return (
    <Group align="flex-start" wrap="nowrap" gap="md">
      {side.isShown && (
        <Suspense fallback={<Box w={260} flex="0 0 260px" />}>
          <FileSide rev={rev} path={path} />
        </Suspense>
      )}
      <Stack gap="sm" className="in-order" flex={1} miw={0}>
        <PageTitle>{`${title}${path} · ${repo.full_name}`}</PageTitle>
        <Group justify="space-between" gap="sm">
          <Group gap="sm">
            <ActionIcon
              variant="default"
              size={30}
              visibleFrom="lg"
              aria-label="Files of this revision"
              aria-expanded={side.isShown}
              onClick={side.toggle}
            >
              <IconLayoutSidebar size={16} />
            </ActionIcon>
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
    </Group>
  )
}

/** Whether the files of the revision stand beside the one that is shown: where there is room, and as was chosen before. */
function useSide() {
  const [isWanted, setIsWanted] = useState(savedSide)
  const isWide = useMediaQuery('(min-width: 75em)', false, { getInitialValueInEffect: false })
  const toggle = () => {
    setIsWanted(!isWanted)
    saveSide(!isWanted)
  }
  return { isShown: isWanted && isWide, toggle }
}
