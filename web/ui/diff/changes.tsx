import { Button, Group, SegmentedControl, Stack } from '@mantine/core'
import { startTransition, useCallback, useDeferredValue, useMemo, useState, type ReactNode } from 'react'
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
  // The control answers at once, hundreds of diffs follow.
  const shownLayout = useDeferredValue(layout)
  const ignoresWhiteSpace = useWhiteSpaceOfAddress()
  const viewed = useViewed(pull, files)
  const [collapsed, setCollapsed] = useState<ReadonlySet<string>>(() => new Set(viewed?.paths))
  const areAllCollapsed = files.every(({ path }) => collapsed.has(path))
  const toggle = useCallback((path: string) => {
    setCollapsed((before) => {
      const next = new Set(before)
      if (!next.delete(path)) next.add(path)
      return next
    })
  }, [])
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
    <DiffLook value={shownLayout}>
      <IgnoresWhiteSpace value={ignoresWhiteSpace}>
        <Stack gap="md">
          <Group justify="space-between" gap="xs">
            <Group gap="xs">
              {summary}
              {viewed && <ViewedCount viewed={viewed.paths.size} of={files.length} />}
              {progress}
            </Group>
            <Group gap="xs">
              <WhiteSpace />
              <Button
                size="xs"
                variant="default"
                onClick={() =>
                  startTransition(() =>
                    setCollapsed(areAllCollapsed ? new Set() : new Set(files.map(({ path }) => path))),
                  )
                }
              >
                {areAllCollapsed ? 'Expand all' : 'Collapse all'}
              </Button>
              <SegmentedControl
                size="xs"
                visibleFrom="sm"
                aria-label="Layout of the diffs"
                data={[
                  { value: 'unified', label: 'Unified' },
                  { value: 'split', label: 'Side by side' },
                ]}
                value={layout}
                onChange={(value) => {
                  setLayout(value as DiffLayout)
                  saveLayout(value as DiffLayout)
                }}
              />
            </Group>
          </Group>
          <div className={files.length > 1 ? classes['beside'] : undefined}>
            {files.length > 1 && <FileTree files={files} viewed={viewed?.paths} />}
            <Stack gap="md" miw={0}>
              {files.map((file, i) => (
                <FileChange
                  key={file.path}
                  file={file}
                  page={pageOf(file.path)}
                  isOpen={i < openAtOnce}
                  isInSight={i < diffsAtOnce}
                  isCollapsed={collapsed.has(file.path)}
                  onToggle={toggle}
                  isViewed={viewed?.paths.has(file.path) ?? false}
                  onView={view}
                  diffOf={children}
                />
              ))}
            </Stack>
          </div>
        </Stack>
      </IgnoresWhiteSpace>
    </DiffLook>
  )
}
