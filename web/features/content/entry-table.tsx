import { IconCornerLeftUp, IconFile, IconFolderFilled } from '@tabler/icons-react'
import { memo } from 'react'
import { Link } from 'react-router'
import { pages } from '../../lib/pages.ts'
import { useRepo } from '../../lib/repo-context.ts'
import type { RepoAddress, TreeEntry } from '../../lib/types.ts'
import { Size, TimeAgo } from '../../ui/facts.tsx'
import { Mark } from '../../ui/mark.tsx'
import { ScanMark } from '../../ui/scan-mark.tsx'
import frame from '../../ui/ui.module.css'
import classes from './entry-table.module.css'

interface EntryTableProps {
  entries: TreeEntry[]
  rev: string
  path: string
}

/**
 * The entries of a folder with their size and last change. Rows are plain elements and no parts of a `<table>`, for which
 * browsers have no `content-visibility`: of a folder of hundreds only those in sight are styled and painted.
 */
export function EntryTable({ entries, rev, path }: EntryTableProps) {
  const { address } = useRepo()
  return (
    <div className={frame['frame']} role="table" aria-label="Files">
      {path && (
        <div role="row" className={classes['entry']}>
          <div role="cell" className={classes['above']}>
            <Link
              className={classes['entryName']}
              to={pages.tree(address, rev, path.split('/').slice(0, -1).join('/'))}
              aria-label="The folder above"
            >
              <IconCornerLeftUp size={16} aria-hidden />
              ..
            </Link>
          </div>
        </div>
      )}
      {foldersFirst(entries).map((entry) => (
        <EntryRow key={entry.path} address={address} entry={entry} rev={rev} />
      ))}
    </div>
  )
}

const foldersFirst = (entries: TreeEntry[]) => [
  ...entries.filter((entry) => entry.kind === 'directory'),
  ...entries.filter((entry) => entry.kind === 'file'),
]

const absenceTexts = {
  missing: 'This server holds a part of this mirror. The file has not been pulled.',
  pulling: 'The file is being pulled from the upstream.',
}

interface EntryRowProps {
  /** Not the repo itself, which changes with every like. */
  address: RepoAddress
  entry: TreeEntry
  rev: string
}

const EntryRow = memo(function EntryRow({ address, entry, rev }: EntryRowProps) {
  const isFolder = entry.kind === 'directory'
  const to = isFolder ? pages.tree(address, rev, entry.path) : pages.blob(address, rev, entry.path)
  const commit = entry.last_commit
  return (
    <div role="row" className={classes['entry']}>
      <div role="cell" className={classes['entryName']}>
        {isFolder ? <IconFolderFilled size={16} aria-label="Folder" /> : <IconFile size={16} aria-hidden />}
        <Link to={to} title={entry.name}>
          {entry.name}
        </Link>
        <ScanMark status={entry.scan} />
        {entry.presence !== 'present' && (
          <Mark
            title={absenceTexts[entry.presence]}
            color={entry.presence === 'pulling' ? 'pending' : 'caution'}
          >
            {entry.presence}
          </Mark>
        )}
      </div>
      <div role="cell" className={classes['entrySize']}>
        {entry.lfs && <Mark title={`LFS, sha256 ${entry.lfs.sha256}`}>LFS</Mark>}
        {!isFolder && <Size bytes={entry.lfs?.size ?? entry.size} />}
      </div>
      <div role="cell" className={classes['entryCommit']}>
        {commit && (
          <Link to={pages.commit(address, commit.sha)} title={commit.title}>
            {commit.title}
          </Link>
        )}
      </div>
      <div role="cell" className={classes['entryTime']}>
        {commit && <TimeAgo time={commit.committed_at} />}
      </div>
    </div>
  )
})
