import { Button, Group, SegmentedControl, Stack } from '@mantine/core'
import {
  memo,
  startTransition,
  useCallback,
  useMemo,
  useState,
  type CSSProperties,
  type ReactNode,
} from 'react'
import { groupsOf } from '../../lib/groups-of.ts'
import { diffsAtOnce } from '../../lib/repo-queries.ts'
import type { ChangedFile } from '../../lib/types.ts'
import classes from './diff.module.css'
import { FileChange } from './file-change.tsx'
import { FileTree } from './file-tree.tsx'
import { useViewed } from './viewed.ts'
import { ViewedCount } from './viewed-count.tsx'
import { IgnoresWhiteSpace, useWhiteSpaceOfAddress } from './white-space.ts'
import { WhiteSpace } from './white-space-toggle.tsx'
import { DiffLook, savedLayout, saveLayout, type DiffLayout } from './look.ts'

interface ChangesProps {
  files: ChangedFile[]
  /** How much has changed. */
  summary: ReactNode
  /** The page of a file as it has become. */
  pageOf: (path: string) => string
  /** The pull request, by repo and number, whose files can be marked as viewed. */
  pull?: string
  /** How far its review is, besides that. */
  progress?: ReactNode
  /** The diff of a file. */
  children: (file: ChangedFile) => ReactNode
}

/** Diffs that are fetched without asking, as they come into sight. */
const openAtOnce = 30

/** Changed files with their diffs, beside a tree that leads to each. */
export function Changes({ files, summary, pageOf, pull, progress, children }: ChangesProps) {
  const [layout, setLayout] = useState(savedLayout)
  const ignoresWhiteSpace = useWhiteSpaceOfAddress()
  const viewed = useViewed(pull, files)
  const [collapsed, setCollapsed] = useState<ReadonlySet<string>>(() => new Set(viewed?.paths))
  const groups = useMemo(() => groupsOf(files, groupSize), [files])
  const areAllCollapsed = files.every(({ path }) => collapsed.has(path))
  const toggle = useCallback((path: string) => {
    setCollapsed((before) => {
      const next = new Set(before)
      if (!next.delete(path)) next.add(path)
      return next
    })
  }, [])
  const collapseAll = useCallback(
    (isCollapsed: boolean) =>
      startTransition(() => setCollapsed(new Set(isCollapsed ? files.map(({ path }) => path) : []))),
    [files],
  )
  const mark = viewed?.mark
  const view = useMemo(
    () =>
      mark &&
      ((file: ChangedFile, isViewed: boolean) => {
        mark(file, isViewed)
        setCollapsed((before) => {
          const next = new Set(before)
          if (isViewed) next.add(file.path)
          else next.delete(file.path)
          return next
        })
      }),
    [mark],
  )
  return (
    <DiffLook value={layout}>
      <IgnoresWhiteSpace value={ignoresWhiteSpace}>
        <Stack gap="md">
          <Head
            files={files.length}
            summary={summary}
            viewed={viewed?.paths.size}
            progress={progress}
            areAllCollapsed={areAllCollapsed}
            onCollapseAll={collapseAll}
            onLayout={setLayout}
          />
          <div className={files.length > 1 ? classes['beside'] : undefined}>
            {files.length > 1 && <FileTree files={files} viewed={viewed?.paths} />}
            <div className={classes['changes']} data-few={files.length <= openAtOnce || undefined}>
              {groups.map((group, i) => (
                <FileChanges
                  key={group[0]?.path}
                  files={group}
                  first={i * groupSize}
                  pageOf={pageOf}
                  collapsed={group.some(({ path }) => collapsed.has(path)) ? collapsed : none}
                  onToggle={toggle}
                  viewed={viewed && group.some(({ path }) => viewed.paths.has(path)) ? viewed.paths : none}
                  onView={view}
                  diffOf={children}
                />
              ))}
            </div>
          </div>
        </Stack>
      </IgnoresWhiteSpace>
    </DiffLook>
  )
}

interface HeadProps extends Pick<ChangesProps, 'summary' | 'progress'> {
  /** How many have changed. */
  files: number
  /** How many of them were viewed; absent where that is not kept. */
  viewed: number | undefined
  areAllCollapsed: boolean
  onCollapseAll: (isCollapsed: boolean) => void
  onLayout: (layout: DiffLayout) => void
}

/** How much has changed, and how it is shown. To collapse one file draws none of it again. */
const Head = memo(function Head(props: HeadProps) {
  const { files, summary, viewed, progress, areAllCollapsed, onCollapseAll, onLayout } = props
  return (
    <Group justify="space-between" gap="xs">
      <Group gap="xs">
        {summary}
        {viewed !== undefined && <ViewedCount viewed={viewed} of={files} />}
        {progress}
      </Group>
      <Group gap="xs">
        <WhiteSpace />
        <Button size="xs" variant="default" onClick={() => onCollapseAll(!areAllCollapsed)}>
          {areAllCollapsed ? 'Expand all' : 'Collapse all'}
        </Button>
        <LayoutChoice onLayout={onLayout} />
      </Group>
    </Group>
  )
})

/** Answers a press at once; hundreds of diffs follow. */
const LayoutChoice = memo(function LayoutChoice({ onLayout }: Pick<HeadProps, 'onLayout'>) {
  const [layout, setLayout] = useState(savedLayout)
  const choose = (next: DiffLayout) => {
    setLayout(next)
    saveLayout(next)
    startTransition(() => onLayout(next))
  }
  return (
    <SegmentedControl
      size="xs"
      visibleFrom="sm"
      aria-label="Layout of the diffs"
      data={[
        { value: 'unified', label: 'Unified' },
        { value: 'split', label: 'Side by side' },
      ]}
      value={layout}
      onChange={(value) => choose(value as DiffLayout)}
    />
  )
})

/**
 * Files that are compared with what they showed before as one, and skipped as one where they are out of sight: for each
 * element that may be skipped, browsers look in every frame and below every press whether it is.
 */
const groupSize = 10
const none: ReadonlySet<string> = new Set()

interface FileChangesProps {
  files: ChangedFile[]
  /** How many files come before. */
  first: number
  pageOf: (path: string) => string
  collapsed: ReadonlySet<string>
  onToggle: (path: string) => void
  viewed: ReadonlySet<string>
  onView: ((file: ChangedFile, isViewed: boolean) => void) | undefined
  diffOf: (file: ChangedFile) => ReactNode
}

const FileChanges = memo(function FileChanges({
  files,
  first,
  pageOf,
  collapsed,
  viewed,
  ...rest
}: FileChangesProps) {
  return (
    <div className={classes['group']} style={{ '--files': files.length } as CSSProperties}>
      {files.map((file, i) => (
        <FileChange
          key={file.path}
          {...rest}
          file={file}
          page={pageOf(file.path)}
          isOpen={first + i < openAtOnce}
          isInSight={first + i < diffsAtOnce}
          isCollapsed={collapsed.has(file.path)}
          isViewed={viewed.has(file.path)}
        />
      ))}
    </div>
  )
})
