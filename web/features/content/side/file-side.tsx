import { Loader } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { IconAlertTriangle, IconChevronRight, IconDots, IconFolderFilled } from '@tabler/icons-react'
import {
  useLayoutEffect,
  useRef,
  useState,
  type CSSProperties,
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
} from 'react'
import { Link } from 'react-router'
import { pages } from '../../../lib/pages.ts'
import { useRepo } from '../../../lib/repo-context.ts'
import type { TreeEntry } from '../../../lib/types.ts'
import { FileIcon } from '../files/file-icon.tsx'
import { treeQuery } from '../queries.ts'
import { foldersFirst } from './folders-first.ts'
import frame from '../../../ui/ui.module.css'
import classes from './file-side.module.css'
import { rowFor, settle } from './tree-keys.ts'

/** The folders that lead to a path. */
const foldersTo = (path: string) =>
  path
    .split('/')
    .slice(0, -1)
    .map((_, i, names) => names.slice(0, i + 1).join('/'))

/** A folder of more entries opens at once. */
const movedAtMost = 100

interface FileSideProps {
  rev: string
  /** The file that the page shows. */
  path: string
}

/** The files of the revision as a tree; a folder is read when it is opened. */
export default function FileSide({ rev, path }: FileSideProps) {
  const tree = useRef<HTMLDivElement>(null)
  const focused = useRef(path)
  const [opened, setOpened] = useState<ReadonlySet<string>>(() => new Set(foldersTo(path)))
  const [shown, setShown] = useState(path)
  if (shown !== path) {
    setShown(path)
    setOpened(new Set([...opened, ...foldersTo(path)]))
  }
  const pressed = useRef<string>(undefined)
  const toggle = (folder: string) => {
    pressed.current = folder
    const next = new Set(opened)
    if (!next.delete(folder)) next.add(folder)
    setOpened(next)
  }
  const onFocus = ({ target, currentTarget }: FocusEvent<HTMLElement>) => {
    focused.current = target.dataset['path'] ?? ''
    settle(currentTarget, focused.current)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.target instanceof HTMLElement)) return
    const row = rowFor(event.currentTarget, event.target, event.key)
    if (!row) return
    event.preventDefault()
    if (row === event.target && !['Home', 'End'].includes(event.key)) row.click()
    else row.focus()
  }
  return (
    <nav className={classes['side']} aria-label="Files of this revision">
      <div
        ref={tree}
        role="tree"
        tabIndex={-1}
        aria-label="Files"
        className={`${frame['raised']} ${classes['tree']}`}
        onFocus={onFocus}
        onKeyDown={onKeyDown}
      >
        <Folder at={{ rev, current: path, opened, toggle, pressed, tree, focused }} folder="" level={1} />
      </div>
    </nav>
  )
}

/** What all folders of the tree share. */
interface Place {
  rev: string
  current: string
  opened: ReadonlySet<string>
  toggle: (folder: string) => void
  /** The folder that was opened or closed last. */
  pressed: RefObject<string | undefined>
  tree: RefObject<HTMLDivElement | null>
  /** The row that has the focus, or had it last. */
  focused: RefObject<string>
}

/** The rows of an open folder, and of those that are open in it. */
function Folder({ at, folder, level }: { at: Place; folder: string; level: number }) {
  const { rev, tree, focused } = at
  const { address } = useRepo()
  const query = useInfiniteQuery(treeQuery(address, { rev, path: folder }))
  useLayoutEffect(() => {
    if (tree.current) settle(tree.current, focused.current)
  })
  const entries = query.data?.pages.flatMap((page) => page.entries) ?? []
  const [wasPressed] = useState(() => at.pressed.current === folder)
  const isMoved = wasPressed && entries.length <= movedAtMost
  return (
    <>
      {foldersFirst(entries).map((entry) => (
        <Row key={entry.path} at={at} entry={entry} level={level} isMoved={isMoved} />
      ))}
      {query.isPending && (
        <div className={classes['row']} style={indent(level)} role="none">
          <Loader size={14} aria-label="Loading the folder" />
        </div>
      )}
      {query.isError && (
        <Deed name={`${folder}/?`} level={level} onPress={() => void query.fetchNextPage()}>
          <IconAlertTriangle size={16} aria-hidden /> Not loaded. Try again
        </Deed>
      )}
      {query.hasNextPage && !query.isError && (
        <Deed
          name={`${folder}/?`}
          level={level}
          onPress={() => query.isFetchingNextPage || void query.fetchNextPage()}
        >
          <IconDots size={16} aria-hidden /> {query.isFetchingNextPage ? 'Loading…' : 'Show more'}
        </Deed>
      )}
    </>
  )
}

const indent = (level: number) => ({ '--level': level - 1 }) as CSSProperties

interface DeedProps {
  /** No file has such a path. */
  name: string
  level: number
  onPress: () => void
  children: React.ReactNode
}

function Deed({ name, level, onPress, children }: DeedProps) {
  return (
    <button
      type="button"
      role="treeitem"
      aria-level={level}
      aria-selected={false}
      data-path={name}
      className={classes['row']}
      style={indent(level)}
      onClick={onPress}
    >
      {children}
    </button>
  )
}

interface RowProps {
  at: Place
  entry: TreeEntry
  level: number
  /** Whether it comes in where its folder was pressed. */
  isMoved: boolean
}

function Row({ at, entry, level, isMoved }: RowProps) {
  const { rev, current, opened, toggle } = at
  const { repo } = useRepo()
  const isFolder = entry.kind === 'directory'
  const isOpen = isFolder && opened.has(entry.path)
  const isCurrent = entry.path === current
  const row = useRef<HTMLAnchorElement>(null)
  useLayoutEffect(() => {
    if (isCurrent && row.current) bringIntoSight(row.current)
  }, [isCurrent])
  const press = (event: MouseEvent) => {
    // The page of the folder opens beside this one where a person asks for that.
    if (!isFolder || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    toggle(entry.path)
  }
  return (
    <>
      <Link
        ref={row}
        role="treeitem"
        aria-level={level}
        aria-selected={isCurrent}
        aria-current={isCurrent ? 'page' : undefined}
        aria-expanded={isFolder ? isOpen : undefined}
        data-path={entry.path}
        data-unfolded={isMoved || undefined}
        className={classes['row']}
        style={indent(level)}
        to={isFolder ? pages.tree(repo, rev, entry.path) : pages.blob(repo, rev, entry.path)}
        title={entry.name}
        onClick={press}
      >
        {isFolder && <IconChevronRight size={14} aria-hidden className={classes['turn']} />}
        {isFolder ? <IconFolderFilled size={16} aria-hidden /> : <FileIcon name={entry.name} />}
        <span className={classes['name']}>{entry.name}</span>
      </Link>
      {isOpen && <Folder at={at} folder={entry.path} level={level + 1} />}
    </>
  )
}

/** Within the tree alone: the page stays where it is. */
function bringIntoSight(row: HTMLElement): void {
  const tree = row.closest('[role=tree]')
  if (!tree) return
  const below = row.offsetTop - tree.scrollTop
  if (below < 0 || below > tree.clientHeight - row.offsetHeight)
    tree.scrollTop = row.offsetTop - tree.clientHeight / 2
}
