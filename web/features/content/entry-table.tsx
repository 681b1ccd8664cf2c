import { Badge, Group, Text } from '@mantine/core'
import { IconCornerLeftUp, IconFile, IconFolderFilled } from '@tabler/icons-react'
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

/** The entries of a folder with their size and last change. */
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
                  to={pages.tree(repo, rev, path.split('/').slice(0, -1).join('/'))}
                  aria-label="The folder above"
                >
                  <IconCornerLeftUp size={14} aria-hidden /> ..
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

function EntryRow({ entry, rev }: { entry: TreeEntry; rev: string }) {
  const { repo } = useRepo()
  const isFolder = entry.kind === 'directory'
  const to = isFolder ? pages.tree(repo, rev, entry.path) : pages.blob(repo, rev, entry.path)
  const commit = entry.last_commit
  return (
    <tr>
      <td>
        <Group gap={8} wrap="nowrap">
          {isFolder ? (
            <IconFolderFilled size={16} color="var(--mantine-color-accent-5)" aria-label="Folder" />
          ) : (
            <IconFile size={16} aria-label="File" />
          )}
          <Text component={Link} to={to} size="sm" ff="monospace" truncate="end" title={entry.name}>
            {entry.name}
          </Text>
        </Group>
      </td>
      <td className={classes['colSize']}>
        <Group gap={6} justify="flex-end" wrap="nowrap">
          {entry.lfs && (
            <Badge size="xs" variant="default" title={`LFS, sha256 ${entry.lfs.sha256}`}>
              LFS
            </Badge>
          )}
          {!isFolder && (
            <Text span size="xs" c="dimmed">
              <Size bytes={entry.lfs?.size ?? entry.size} />
            </Text>
          )}
        </Group>
      </td>
      <td className={classes['colCommit']}>
        {commit && (
          <Text
            component={Link}
            to={pages.commit(repo, commit.sha)}
            size="sm"
            c="dimmed"
            title={commit.title}
          >
            {commit.title}
          </Text>
        )}
      </td>
      <td className={classes['colTime']}>
        {commit && (
          <Text size="xs" c="dimmed" component="div">
            <TimeAgo time={commit.committed_at} />
          </Text>
        )}
      </td>
    </tr>
  )
}
