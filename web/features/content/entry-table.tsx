import { Button, Text } from '@mantine/core'
import { IconCloud, IconCornerLeftUp, IconDownload, IconFolderFilled, IconPencil } from '@tabler/icons-react'
import {
  memo,
  Suspense,
  useCallback,
  useDeferredValue,
  useId,
  useMemo,
  useState,
  type CSSProperties,
} from 'react'
import { Link } from 'react-router'
import { fileUrl } from '../../../shared/transfer.ts'
import { groupsOf } from '../../lib/groups-of.ts'
import { useCommitWays } from '../../lib/commit-ways.ts'
import { pages } from '../../lib/pages.ts'
import { mayReadFiles, useRepo } from '../../lib/repo-context.ts'
import type { RepoAddress, TreeEntry } from '../../lib/types.ts'
import { Size, TimeAgo } from '../../ui/facts.tsx'
import { Mark } from '../../ui/mark.tsx'
import { ScanMark } from '../../ui/scan-mark.tsx'
import frame from '../../ui/ui.module.css'
import { late } from '../../ui/late.tsx'
import classes from './entry-table.module.css'
import type { Change } from './files/change-entries.tsx'
import { FileIcon } from './files/file-icon.tsx'
import { LatestCommit } from './files/latest-commit.tsx'
import { foldersFirst } from './side/folders-first.ts'

const ChangeEntries = late(() => import('./files/change-entries.tsx'))

interface EntryTableProps {
  entries: TreeEntry[]
  rev: string
  path: string
}

/**
 * The entries of a folder with their size and last change. Rows are plain elements and no parts of a `<table>`, for which
 * browsers have no `content-visibility`: of a folder of hundreds only the blocks in sight are styled and painted.
 */
export const EntryTable = memo(function EntryTable({ entries: all, rev, path }: EntryTableProps) {
  // More entries are drawn in slices between the presses.
  const entries = useDeferredValue(all)
  const { address, repo } = useRepo()
  const canCommit = useCommitWays(rev).length > 0
  const [selected, setSelected] = useState<ReadonlySet<string>>(() => new Set())
  const [asked, setAsked] = useState<{ change: Change; entries: TreeEntry[] }>()
  const select = useCallback((entry: TreeEntry, isSelected: boolean) => {
    setSelected((before) => {
      const next = new Set(before)
      if (isSelected) next.add(entry.path)
      else next.delete(entry.path)
      return next
    })
  }, [])
  const rename = useCallback((entry: TreeEntry) => setAsked({ change: 'rename', entries: [entry] }), [])
  const blocks = useMemo(() => groupsOf(foldersFirst(entries), blockSize), [entries])
  // A row is marked within the press, what can be done with the marked ones follows.
  const settled = useDeferredValue(selected)
  const chosen = useMemo(() => entries.filter((entry) => settled.has(entry.path)), [entries, settled])
  return (
    <div className={frame['frame']}>
      {chosen.length > 0 ? (
        <div className={classes['latest']} role="toolbar" aria-label="Selected entries">
          <Text size="sm" fw={600}>
            {chosen.length} selected
          </Text>
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => setAsked({ change: 'move', entries: chosen })}
          >
            Move
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            c="var(--mantine-color-error)"
            onClick={() => setAsked({ change: 'delete', entries: chosen })}
          >
            Delete
          </Button>
          <Button size="compact-sm" variant="subtle" onClick={() => setSelected(new Set())}>
            Clear
          </Button>
        </div>
      ) : (
        <LatestCommit rev={rev} path={path} />
      )}
      <Suspense>
        {asked && (
          <ChangeEntries
            {...asked}
            rev={rev}
            folder={path}
            onDone={() => setSelected(new Set())}
            onClose={() => setAsked(undefined)}
          />
        )}
      </Suspense>
      <div role="table" aria-label="Files">
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
        {blocks.map((block) => (
          <EntryRows
            key={block[0]?.path}
            entries={block}
            selected={block.some(({ path }) => selected.has(path)) ? selected : none}
            address={address}
            rev={rev}
            mayDownload={mayReadFiles(repo)}
            onSelect={canCommit ? select : undefined}
            onRename={canCommit ? rename : undefined}
          />
        ))}
      </div>
    </div>
  )
})

/**
 * Rows that are compared with what they showed before as one: a press in one of them leaves those of other blocks alone.
 * They are skipped as one too where they are out of sight: for each element that may be, browsers look in every frame and
 * below every press whether it is, which took 15 ms of a press in a folder of 1 000 entries when each was one.
 */
const blockSize = 25
const none: ReadonlySet<string> = new Set()

interface EntryRowsProps extends Omit<EntryRowProps, 'entry' | 'isSelected'> {
  entries: TreeEntry[]
  selected: ReadonlySet<string>
}

const EntryRows = memo(function EntryRows({ entries, selected, ...props }: EntryRowsProps) {
  return (
    <div role="rowgroup" className={classes['block']} style={{ '--rows': entries.length } as CSSProperties}>
      {entries.map((entry) => (
        <EntryRow key={entry.path} {...props} entry={entry} isSelected={selected.has(entry.path)} />
      ))}
    </div>
  )
})

const absenceTexts = {
  missing: 'This server holds a part of this mirror. The file has not been pulled.',
  pulling: 'The file is being pulled from the upstream.',
}

interface EntryRowProps {
  /** Not the repo itself, which changes with every like. */
  address: RepoAddress
  entry: TreeEntry
  rev: string
  mayDownload: boolean
  isSelected: boolean
  onSelect: ((entry: TreeEntry, isSelected: boolean) => void) | undefined
  onRename: ((entry: TreeEntry) => void) | undefined
}

const EntryRow = memo(function EntryRow(props: EntryRowProps) {
  const { address, entry, rev, mayDownload, isSelected, onSelect, onRename } = props
  const nameId = useId()
  const isFolder = entry.kind === 'directory'
  const to = isFolder ? pages.tree(address, rev, entry.path) : pages.blob(address, rev, entry.path)
  const commit = entry.last_commit
  return (
    <div role="row" className={classes['entry']} data-chosen={isSelected || undefined}>
      <div role="cell" className={classes['entryName']}>
        {onSelect && (
          <input
            type="checkbox"
            className={classes['check']}
            aria-label={`Select ${entry.name}`}
            checked={isSelected}
            onChange={(event) => onSelect(entry, event.currentTarget.checked)}
          />
        )}
        {isFolder ? <IconFolderFilled size={16} aria-label="Folder" /> : <FileIcon name={entry.name} />}
        <Link to={to} title={entry.name} id={nameId} data-row>
          {entry.name}
        </Link>
        <ScanMark status={entry.scan} />
        {entry.presence !== 'present' && (
          <span className={classes['absence']}>
            <IconCloud size={16} role="img" aria-label={absenceTexts[entry.presence]} />
            <Mark
              title={absenceTexts[entry.presence]}
              color={entry.presence === 'pulling' ? 'pending' : 'caution'}
            >
              {entry.presence}
            </Mark>
          </span>
        )}
      </div>
      <div role="cell" className={classes['entrySize']}>
        {entry.lfs && (
          <span className={classes['lfs']}>
            <Mark title={`LFS, sha256 ${entry.lfs.sha256}`}>LFS</Mark>
          </span>
        )}
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
      <div role="cell" className={classes['entryActions']}>
        {onRename && (
          <button
            type="button"
            aria-label="Rename"
            aria-describedby={nameId}
            title="Rename or move"
            className={classes['action']}
            onClick={() => onRename(entry)}
          >
            <IconPencil size={15} aria-hidden />
          </button>
        )}
        {!isFolder && mayDownload && entry.presence === 'present' && (
          <a
            href={fileUrl(address, rev, entry.path)}
            download={entry.name}
            aria-label="Download"
            aria-describedby={nameId}
            title="Download"
            className={classes['action']}
          >
            <IconDownload size={15} aria-hidden />
          </a>
        )}
      </div>
    </div>
  )
})
