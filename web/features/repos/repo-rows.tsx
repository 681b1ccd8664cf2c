import { IconDownload, IconHeart } from '@tabler/icons-react'
import { memo } from 'react'
import { Link } from 'react-router'
import { pages } from '../../lib/pages.ts'
import { isMirror } from '../../lib/repo-context.ts'
import type { Repo } from '../../lib/types.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { CountNumber, Size, TimeAgo } from '../../ui/facts.tsx'
import { Mark } from '../../ui/mark.tsx'
import classes from './repos.module.css'

/**
 * Repos one below the other: name, what it is, how large, how recent, how used and liked. Rows are plain elements: of components,
 * hundreds would render again when the theme changes.
 */
export function RepoRows({ repos, withType = false }: { repos: Repo[]; withType?: boolean }) {
  return (
    <ul className={classes['rows']}>
      {repos.map((repo) => (
        <RepoRow key={repo.id} repo={repo} withType={withType} />
      ))}
    </ul>
  )
}

const RepoRow = memo(function RepoRow({ repo, withType }: { repo: Repo; withType: boolean }) {
  return (
    <li className={classes['row']}>
      <div className={classes['about']}>
        <div className={classes['names']}>
          <Link className={classes['name']} to={pages.repo(repo)} title={repo.full_name}>
            {repo.full_name}
          </Link>
          <CopyButton text={repo.full_name} label={`Copy ${repo.full_name}`} />
          {withType && <Mark>{repo.type}</Mark>}
          <RepoBadges repo={repo} />
        </div>
        {repo.description && <p className={classes['description']}>{repo.description}</p>}
      </div>
      <div className={classes['numbers']}>
        <Size bytes={repo.size_bytes} />
        <span className={classes['likes']}>
          <IconDownload size={13} aria-label="Downloads in 30 days" />
          <CountNumber value={repo.downloads_30d} />
        </span>
        <span className={classes['likes']}>
          <IconHeart size={13} aria-label="Likes" />
          <CountNumber value={repo.likes} />
        </span>
        <TimeAgo time={repo.updated_at} />
      </div>
    </li>
  )
})

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
