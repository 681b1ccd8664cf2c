import { useQuery } from '@tanstack/react-query'
import { Navigate } from 'react-router'
import { ApiProblem } from '../../../shared/client.ts'
import { useCommitWays } from '../../lib/commit-ways.ts'
import { pages } from '../../lib/pages.ts'
import { useRepo, useRevPath } from '../../lib/repo-context.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { EmptyState, PageSkeleton } from '../../ui/states.tsx'
import { FileForm } from './file-form.tsx'
import { NoCommits } from './no-commits.tsx'
import { textBeforeQuery } from './queries.ts'
import { PageTitle } from '../../ui/page-title.tsx'

/** `…/edit/{rev}/{path}`: changes a text file, and commits or proposes that; a file that is not there is created. */
export function Component() {
  const { repo, address } = useRepo()
  const { rev, path } = useRevPath()
  const ways = useCommitWays(rev)
  const query = useQuery(textBeforeQuery(address, { rev, path }))
  const segments = path.split('/')
  const name = segments.at(-1) ?? path
  const folder = segments.slice(0, -1).join('/')
  if (query.error instanceof ApiProblem && query.error.code === 'entry-not-found')
    return <Navigate to={`${pages.newFile(repo, rev, folder)}?name=${encodeURIComponent(name)}`} replace />
  return (
    <>
      <PageTitle>{`Edit ${path} · ${repo.full_name}`}</PageTitle>
      <Loaded query={query} skeleton={<PageSkeleton />}>
        {(before) => {
          if (ways.length === 0) return <NoCommits rev={rev} />
          if (before) return <FileForm key={path} rev={rev} folder={folder} name={name} before={before} />
          return (
            <EmptyState picture="lock" title="This file cannot be edited here">
              Only texts of up to 1 MB in UTF-8 can; upload another in its place.
            </EmptyState>
          )
        }}
      </Loaded>
    </>
  )
}
