import { ActionIcon, Badge, Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { memo, Suspense, useDeferredValue, useRef, useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import type { ChangedFile, FileDiff } from '../../lib/types.ts'
import { useSeen } from '../code/use-near.ts'
import { CommandLine } from '../command-line.tsx'
import { Size } from '../facts.tsx'
import classes from '../ui.module.css'
import diffClasses from './diff.module.css'
import { late } from '../late.tsx'
import { hasLine } from './gaps.ts'
import { Hunks } from './hunks.tsx'
import { useReviewOfLines } from './look.ts'
import { useIgnoresWhiteSpace } from './white-space.ts'

// Few diffs have tensors.
const HeaderDiff = late(async () => ({ default: (await import('./header-diff.tsx')).HeaderDiff }))

const colors: Record<ChangedFile['status'], string> = {
  added: 'safe',
  modified: 'pending',
  deleted: 'danger',
  renamed: 'pending',
  copied: 'pending',
}

interface FileChangeProps {
  file: ChangedFile
  /** The page of the file as it has become. */
  page: string
  /** Whether the diff is fetched once it comes into sight. */
  isOpen: boolean
  /** Whether it counts as in sight from the first, its diff being there already. */
  isInSight: boolean
  isCollapsed: boolean
  onToggle: (path: string) => void
  isViewed: boolean
  /** Marks it as viewed, or not; absent where that is not kept. */
  onView: ((file: ChangedFile, isViewed: boolean) => void) | undefined
  /** The diff, made when it is wanted and in sight. */
  diffOf: (file: ChangedFile) => ReactNode
}

/** The element of a file's diff, to which the tree beside it leads. */
export const changeId = (path: string) => `change-${encodeURIComponent(path)}`

/** One changed file: what became of it, and its diff. There may be thousands, of which a press changes one. */
export const FileChange = memo(function FileChange(props: FileChangeProps) {
  const { file, page, isOpen, isInSight, isCollapsed, onToggle, isViewed, onView, diffOf } = props
  const [isWanted, setIsWanted] = useState(isOpen)
  // The arrow turns within the press, the diff comes or goes after it.
  const isHidden = useDeferredValue(isCollapsed)
  const section = useRef<HTMLElement>(null)
  const [wasPressed, setWasPressed] = useState(false)
  const wasSeen = useSeen(section, isInSight, isWanted)
  return (
    <section
      className={`${classes['frame']} ${classes['anchor']} ${diffClasses['change']}`}
      id={changeId(file.path)}
      ref={section}
      aria-label={file.path}
      data-unfolded={(wasPressed && !isCollapsed) || undefined}
    >
      <div className={classes['frameHead']}>
        <Group gap="xs" miw={0}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={24}
            aria-expanded={!isCollapsed}
            aria-label={`Diff of ${file.path}`}
            onClick={() => {
              setWasPressed(true)
              onToggle(file.path)
            }}
          >
            {isCollapsed ? <IconChevronRight size={15} /> : <IconChevronDown size={15} />}
          </ActionIcon>
          <Badge size="sm" variant="light" color={colors[file.status]}>
            {file.status}
          </Badge>
          <Text ff="monospace" size="sm" style={{ overflowWrap: 'anywhere' }}>
            {file.old_path && file.old_path !== file.path && `${file.old_path} → `}
            {file.status === 'deleted' ? (
              file.path
            ) : (
              <Link to={page} data-row style={{ color: 'inherit' }}>
                {file.path}
              </Link>
            )}
          </Text>
          {file.lfs && (
            <Badge size="xs" variant="default">
              LFS
            </Badge>
          )}
        </Group>
        <Group gap="sm">
          <Amount file={file} />
          {onView && (
            <Checkbox
              size="xs"
              label="Viewed"
              aria-label={`Viewed ${file.path}`}
              checked={isViewed}
              onChange={({ currentTarget }) => onView(file, currentTarget.checked)}
            />
          )}
        </Group>
      </div>
      {isHidden ? null : isWanted ? (
        wasSeen && diffOf(file)
      ) : (
        <Button variant="subtle" size="xs" m="xs" onClick={() => setIsWanted(true)}>
          Show the diff
        </Button>
      )}
    </section>
  )
})

function Amount({ file }: { file: ChangedFile }) {
  if (file.binary || file.lfs)
    return (
      <Text size="xs" c="dimmed" component="div">
        {file.old_size !== undefined && <Size bytes={file.old_size} />}
        {file.old_size !== undefined && file.new_size !== undefined && ' → '}
        {file.new_size !== undefined && <Size bytes={file.new_size} />}
      </Text>
    )
  if (file.additions === undefined)
    return (
      <Text size="xs" c="dimmed" component="div">
        lines not counted
      </Text>
    )
  return (
    <Text size="xs" component="div">
      <Text span inherit c="safe" fw={600}>
        +{file.additions}
      </Text>{' '}
      <Text span inherit c="danger" fw={600}>
        −{file.deletions ?? 0}
      </Text>
    </Text>
  )
}

interface DiffViewProps {
  diff: FileDiff
  /** Shows in a clone what is too large to be shown here. */
  command: string
  /** The commit that has the file as it becomes; without it the lines around the changes stay hidden. */
  head?: string | undefined
}

/** What changed within a file. */
export function DiffView({ diff, command, head }: DiffViewProps) {
  const ignoresWhiteSpace = useIgnoresWhiteSpace()
  const header = diff.header_diff && (
    <Suspense fallback={<Note>Comparing the tensors…</Note>}>
      <HeaderDiff diff={diff.header_diff} />
    </Suspense>
  )
  return (
    <>
      {ignoresWhiteSpace && <LeftOut hunks={diff.hunks} />}
      {!(header && diff.binary && !diff.lfs) && <ContentDiff diff={diff} command={command} head={head} />}
      {header}
    </>
  )
}

/** Comments on lines whose white space alone has changed. */
function LeftOut({ hunks }: Pick<FileDiff, 'hunks'>) {
  const places = useReviewOfLines()?.places ?? []
  const count = places.filter((place) => !hasLine(hunks, place)).length
  if (count === 0) return null
  return (
    <Note>
      {count === 1 ? '1 comment is' : `${count} comments are`} on lines that are left out while white space is
      ignored.
    </Note>
  )
}

function ContentDiff({ diff, command, head }: DiffViewProps) {
  const ignoresWhiteSpace = useIgnoresWhiteSpace()
  if (diff.lfs)
    return (
      <Note>
        Large file{diff.lfs.old && <> from {diff.lfs.old.sha256.slice(0, 12)}</>}
        {diff.lfs.new && <> to {diff.lfs.new.sha256.slice(0, 12)}</>}
        {diff.header_diff ? '.' : '; its content is not compared.'}
      </Note>
    )
  if (diff.binary) return <Note>Binary content is not compared.</Note>
  if (diff.too_large)
    return (
      <Stack gap={4} p="sm">
        <Text size="sm">This diff is too large to show.</Text>
        <CommandLine command={command} label="To see it, run this in a clone" />
      </Stack>
    )
  if (diff.hunks.length === 0)
    return <Note>{ignoresWhiteSpace ? 'No line changed, white space aside.' : 'No line changed.'}</Note>
  return <Hunks diff={diff} head={head} />
}

function Note({ children }: { children: ReactNode }) {
  return (
    <Text size="sm" c="dimmed" p="sm">
      {children}
    </Text>
  )
}
