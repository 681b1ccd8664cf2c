import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { useCommitWays } from '../../lib/commit-ways.ts'
import { pages } from '../../lib/pages.ts'
import { useRepo } from '../../lib/repo-context.ts'
import { uploadTo } from '../../lib/upload-to.ts'
import type { Discussion } from '../../lib/types.ts'
import { EmptyState } from '../../ui/states.tsx'

/** What a pull request without commits shows: how to make the first. */
export default function CommandsForPull({ discussion: { num, kind, status } }: { discussion: Discussion }) {
  const { repo } = useRepo()
  const ref = `refs/pr/${num}`
  const canCommit = useCommitWays(ref).length > 0
  if (kind === 'discussion')
    return <EmptyState picture="branch" title="This is a discussion, not a pull request" />
  if (status === 'closed') return <EmptyState picture="branch" title="No commits were made" />
  return (
    <EmptyState
      picture="branch"
      title="No commits yet"
      {...(canCommit
        ? {
            deed: uploadTo(repo, ref),
            action: (
              <Button size="xs" component={Link} to={pages.upload(repo, ref)}>
                Upload files to it
              </Button>
            ),
          }
        : {})}
    >
      {canCommit
        ? 'Whatever is committed to its ref is proposed here.'
        : 'Its author, or a writer of the repo, can commit to it.'}
    </EmptyState>
  )
}
