import { Link } from 'react-router'
import { pages } from '../../lib/pages.ts'
import { isMirror } from '../../lib/repo-context.ts'
import type { Repo } from '../../lib/types.ts'
import { Mark } from '../../ui/mark.tsx'
import classes from './repos.module.css'

/** Says that some files are not safe, and leads to which. */
function SafetyBadge({ repo }: { repo: Repo }) {
  if (repo.scan_status !== 'unsafe' && repo.scan_status !== 'suspicious') return null
  return (
    <Link className={classes['safety']} to={pages.insights(repo)}>
      <Mark color={repo.scan_status === 'unsafe' ? 'danger' : 'caution'}>{`${repo.scan_status} files`}</Mark>
    </Link>
  )
}

/** What sets a repo apart from a public, open one. */
export function RepoBadges({ repo }: { repo: Repo }) {
  return (
    <>
      {repo.visibility === 'private' && <Mark color="caution">private</Mark>}
      {repo.mirror && isMirror(repo) && (
        <Mark title={`${repo.mirror.repo} at ${repo.mirror.upstream}`}>mirror</Mark>
      )}
      {repo.gated && <Mark color="pending">gated</Mark>}
      {repo.disabled && <Mark color="danger">disabled</Mark>}
      <SafetyBadge repo={repo} />
      {repo.deleted_at && <Mark color="danger">deleted</Mark>}
    </>
  )
}
