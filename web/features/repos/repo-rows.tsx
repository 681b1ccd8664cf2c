import { IconDownload, IconHeart } from '@tabler/icons-react'
import { memo } from 'react'
import { Link } from 'react-router'
import { formatCompact, formatRows } from '../../lib/format.ts'
import { pages } from '../../lib/pages.ts'
import { useMe } from '../../lib/session.ts'
import type { Repo } from '../../lib/types.ts'
import { AvatarPicture } from '../../ui/avatar-picture.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { CountNumber, Size, TimeAgo } from '../../ui/facts.tsx'
import { Mark } from '../../ui/mark.tsx'
import { RepoBadges } from './repo-badges.tsx'
import { RowLike } from './row-like.tsx'
import classes from './repo-rows.module.css'

/** `list`: two lines and what a repo is; `dense`: one line each; `grid`: cards side by side. */
export type RowView = 'list' | 'dense' | 'grid'

interface RepoRowsProps {
  repos: Repo[]
  withType?: boolean
  view?: RowView
}

/**
 * Repos with what they are, how large, how recent, how used and liked, in columns that stand below each other. Rows are
 * plain elements: of components, hundreds would render again when the theme changes.
 */
export function RepoRows({ repos, withType = false, view = 'list' }: RepoRowsProps) {
  const canLike = Boolean(useMe())
  return (
    <ul className={classes['rows']} data-view={view}>
      {repos.map((repo) => (
        <RepoRow key={repo.id} repo={repo} withType={withType} view={view} canLike={canLike} />
      ))}
    </ul>
  )
}

const RepoRow = memo(function RepoRow({
  repo,
  withType,
  view,
  canLike,
}: Required<Omit<RepoRowsProps, 'repos'>> & { repo: Repo; canLike: boolean }) {
  return (
    <li className={classes['row']}>
      <span className={classes['avatar']}>
        <AvatarPicture ns={repo.ns} size={view === 'dense' ? 20 : 36} />
      </span>
      <div className={classes['about']}>
        <div className={classes['names']}>
          <Link className={classes['name']} to={pages.repo(repo)} title={repo.full_name} data-row>
            <span className={classes['ns']}>{repo.ns}/</span>
            {repo.name}
          </Link>
          <CopyButton text={repo.full_name} label={`Copy ${repo.full_name}`} />
          {withType && <Mark>{repo.type}</Mark>}
          <RepoBadges repo={repo} />
        </div>
        {repo.description && <p className={classes['description']}>{repo.description}</p>}
        {view !== 'dense' && <Chips repo={repo} />}
      </div>
      <div className={classes['numbers']}>
        <span className={classes['number']} data-kind="size">
          <Size bytes={repo.size_bytes} />
        </span>
        <span className={classes['number']} data-kind="downloads">
          {repo.downloads_30d > 0 && (
            <>
              <IconDownload size={13} aria-label="Downloads in 30 days" />
              <CountNumber value={repo.downloads_30d} />
            </>
          )}
        </span>
        <span className={classes['number']} data-kind="likes">
          {canLike ? (
            <RowLike repo={repo} />
          ) : (
            repo.likes > 0 && (
              <>
                <IconHeart size={13} aria-label="Likes" />
                <CountNumber value={repo.likes} />
              </>
            )
          )}
        </span>
        <span className={classes['number']} data-kind="time">
          <TimeAgo time={repo.updated_at} />
        </span>
      </div>
    </li>
  )
})

/** What a repo is, in words that lists can be narrowed by. */
function Chips({ repo }: { repo: Repo }) {
  const chips = [
    repo.task && ['task', repo.task],
    repo.parameters !== undefined && ['parameters', `${formatCompact(repo.parameters)} params`],
    repo.rows !== undefined && ['rows', formatRows(repo.rows)],
    repo.library && ['library', repo.library],
    ...repo.formats
      .filter((format) => format !== repo.library)
      .slice(0, 2)
      .map((format) => ['format', format]),
    repo.licence && ['licence', repo.licence],
  ].flatMap((chip) => (chip ? [chip] : []))
  if (chips.length === 0) return null
  return (
    <div className={classes['chips']}>
      {chips.map(([kind, text]) => (
        <span key={`${kind} ${text}`} className={classes['chip']} data-kind={kind}>
          {text}
        </span>
      ))}
    </div>
  )
}
