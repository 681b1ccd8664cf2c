import { IconCornerLeftUp, IconFile, IconFolderFilled } from '@tabler/icons-react'
import { memo } from 'react'
import { Link } from 'react-router'
import { pages } from '../../lib/pages.ts'
import { useRepo } from '../../lib/repo-context.ts'
import type { TreeEntry } from '../../lib/types.ts'
import { Size, TimeAgo } from '../../ui/facts.tsx'
import classes from './content.module.css'

interface EntryTableProps {
  entries: TreeEntry[]
  rev: string
  path: string
}

/** The entries of a folder with their size and last change. Rows are plain elements: a page holds hundreds of them. */
export function EntryTable({ entries, rev, path }: EntryTableProps) {
  const { repo } = useRepo()
  return (
    <div className={classes['frame']}>
      <table className={classes['entries']} aria-label="Files">
        <colgroup>
          <col />
          <col className={classes['colSize']} />
          <col className={classes['colCommit']} />
          <col className={classes['colTime']} />
        </colgroup>
        <tbody>
          {path && (
            <tr>
              <td colSpan={4}>
                <Link
                  className={classes['entryName']}
                  to={pages.tree(repo, rev, path.split('/').slice(0, -1).join('/'))}
                  aria-label="The folder above"
                >
                  <IconCornerLeftUp size={16} aria-hidden />
                  ..
                </Link>
              </td>
            </tr>
          )}
          {foldersFirst(entries).map((entry) => (
            <EntryRow key={entry.path} entry={entry} rev={rev} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

const foldersFirst = (entries: TreeEntry[]) => [
  ...entries.filter((entry) => entry.kind === 'directory'),
  ...entries.filter((entry) => entry.kind === 'file'),
]

const EntryRow = memo(function EntryRow({ entry, rev }: { entry: TreeEntry; rev: string }) {
  const { repo } = useRepo()
  const isFolder = entry.kind === 'directory'
  const to = isFolder ? pages.tree(repo, rev, entry.path) : pages.blob(repo, rev, entry.path)
  const commit = entry.last_commit
  return (
    <tr>
      <td>
        <div className={classes['entryName']}>
          {isFolder ? <IconFolderFilled size={16} aria-label="Folder" /> : <IconFile size={16} aria-hidden />}
          <Link to={to} title={entry.name}>
            {entry.name}
          </Link>
        </div>
      </td>
      <td className={classes['colSize']}>
        {entry.lfs && (
          <span className={classes['lfs']} title={`LFS, sha256 ${entry.lfs.sha256}`}>
            LFS
          </span>
        )}
        {!isFolder && <Size bytes={entry.lfs?.size ?? entry.size} />}
      </td>
      <td className={classes['colCommit']}>
        {commit && (
          <Link to={pages.commit(repo, commit.sha)} title={commit.title}>
            {commit.title}
          </Link>
        )}
      </td>
      <td className={classes['colTime']}>{commit && <TimeAgo time={commit.committed_at} />}</td>
    </tr>
  )
})
