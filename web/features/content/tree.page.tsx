import { Button, Group, Stack } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Navigate } from 'react-router'
import { useCommitWays } from '../../lib/commit-ways.ts'
import { pages } from '../../lib/pages.ts'
import { useRepo, useRevPath } from '../../lib/repo-context.ts'
import type { TreeListing } from '../../lib/types.ts'
import { EmptyState, ErrorState, ListSkeleton } from '../../ui/states.tsx'
import classes from '../../ui/ui.module.css'
import { Document } from './document.tsx'
import { EntryTable } from './entry-table.tsx'
import { TreeDrop } from './files/tree-drop.tsx'
import { PathBar } from './path-bar.tsx'
import { usePermalink } from './permalink.ts'
import { treeQuery } from './queries.ts'
import { uploadTo } from '../../lib/upload-to.ts'
import { readmeOf } from './readme.ts'
import { RevPicker } from './rev-picker.tsx'
import { TreeActions } from './tree-actions.tsx'

const firstOf = ({ pages: [first] }: { pages: TreeListing[] }) => first

/** The folder that the address names; `enabled` is false where the repo is known to be empty. */
function useTreeQuery() {
  const { repo, address } = useRepo()
  const { rev, path } = useRevPath()
  const enabled = repo.head_commit !== undefined || rev !== repo.default_branch
  return { ...treeQuery(address, { rev, path }), enabled }
}

/** `…/tree/{rev}/{path}`: a folder, what last changed in it, and its README. */
export function Component() {
  const { repo } = useRepo()
  const { rev, path } = useRevPath()
  // When more entries come, this page stays as it is.
  const first = useInfiniteQuery({ ...useTreeQuery(), select: firstOf }).data
  usePermalink(first)
  if (first?.kind === 'file') return <Navigate to={pages.blob(repo, rev, path)} replace />
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="sm">
        <Group gap="sm">
          <RevPicker rev={rev} pageAt={(name) => pages.tree(repo, name, path)} />
          <PathBar rev={rev} path={path} />
        </Group>
        <TreeActions rev={rev} path={path} />
      </Group>
      <TreeDrop rev={rev} path={path} />
      <Listing rev={rev} path={path} />
    </Stack>
  )
}

interface ListingProps {
  rev: string
  path: string
}

function Listing({ rev, path }: ListingProps) {
  const query = useInfiniteQuery(useTreeQuery())
  const { repo } = useRepo()
  const canCommit = useCommitWays(rev)[0] === 'direct'
  const { data } = query
  const entries = useMemo(() => data?.pages.flatMap((page) => page.entries), [data])
  if (repo.head_commit === undefined || entries?.length === 0)
    return (
      <EmptyState title="Nothing here yet" {...(canCommit ? { deed: uploadTo(repo, rev) } : {})}>
        {canCommit && 'Drop files on the upload page, or upload a folder from a terminal or a program:'}
      </EmptyState>
    )
  if (!entries)
    return query.isError ? (
      <ErrorState error={query.error} onRetry={() => void query.refetch()} />
    ) : (
      <ListSkeleton rows={10} height={33} />
    )
  const readme = readmeOf(entries)
  return (
    <>
      <EntryTable key={`${rev}/${path}`} entries={entries} rev={rev} path={path} />
      {query.hasNextPage && (
        <Button
          variant="default"
          loading={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          Show more
        </Button>
      )}
      {readme && (
        <article className={classes['frame']}>
          <div className={classes['frameHead']}>{readme.name}</div>
          <div style={{ padding: 24 }}>
            <Document rev={rev} path={readme.path} sizeBytes={readme.size} />
          </div>
        </article>
      )}
    </>
  )
}
