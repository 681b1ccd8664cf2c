import { useSearchParams } from 'react-router'
import { useCommitWays } from '../../lib/commit-ways.ts'
import { useRevPath } from '../../lib/repo-context.ts'
import { FileForm } from './file-form.tsx'
import { NoCommits } from './no-commits.tsx'

/** `…/new/{rev}/{path}`: writes a text file and commits it, or proposes it. */
export function Component() {
  const { rev, path: folder } = useRevPath()
  const [search] = useSearchParams()
  if (useCommitWays(rev).length === 0) return <NoCommits rev={rev} />
  return <FileForm rev={rev} folder={folder} name={search.get('name') ?? ''} />
}
