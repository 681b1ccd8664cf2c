import { Badge, Button, Group, Text } from '@mantine/core'
import { useIntersection } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { pages } from '../../lib/pages.ts'
import { useRepo } from '../../lib/repo-context.ts'
import type { ChangedFile, FileDiff } from '../../lib/types.ts'
import { Size } from '../../ui/facts.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import classes from './content.module.css'
import { Hunks } from './hunks.tsx'
import { diffQuery } from './queries.ts'

const colors: Record<ChangedFile['status'], string> = {
  added: 'safe',
  modified: 'pending',
  deleted: 'danger',
  renamed: 'pending',
  copied: 'pending',
}

interface FileChangeProps {
  sha: string
  file: ChangedFile
  /** Whether the diff is fetched once it comes into sight. */
  isOpen: boolean
}

/** One file of a Commit: what became of it, and its diff. */
export function FileChange({ sha, file, isOpen }: FileChangeProps) {
  const { repo } = useRepo()
  const [isWanted, setIsWanted] = useState(isOpen)
  const { ref, entry } = useIntersection({ rootMargin: '400px' })
  const [wasSeen, setWasSeen] = useState(false)
  if (entry?.isIntersecting && !wasSeen) setWasSeen(true)
  return (
    <section className={classes['frame']} ref={ref} aria-label={file.path}>
      <div className={classes['frameHead']}>
        <Group gap="xs" miw={0}>
          <Badge size="sm" variant="light" color={colors[file.status]}>
            {file.status}
          </Badge>
          <Text ff="monospace" size="sm" style={{ overflowWrap: 'anywhere' }}>
            {file.old_path && file.old_path !== file.path && `${file.old_path} → `}
            {file.status === 'deleted' ? (
              file.path
            ) : (
              <Link to={pages.blob(repo, sha, file.path)} style={{ color: 'inherit' }}>
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
        <Amount file={file} />
      </div>
      {isWanted ? (
        wasSeen && <Diff sha={sha} path={file.path} />
      ) : (
        <Button variant="subtle" size="xs" m="xs" onClick={() => setIsWanted(true)}>
          Show the diff
        </Button>
      )}
    </section>
  )
}

function Amount({ file }: { file: ChangedFile }) {
  if (file.binary || file.lfs)
    return (
      <Text size="xs" c="dimmed" component="div">
        {file.old_size !== undefined && <Size bytes={file.old_size} />}
        {file.old_size !== undefined && file.new_size !== undefined && ' → '}
        {file.new_size !== undefined && <Size bytes={file.new_size} />}
      </Text>
    )
  return (
    <Text size="xs" component="div">
      <Text span inherit c="safe" fw={600}>
        +{file.additions ?? 0}
      </Text>{' '}
      <Text span inherit c="danger" fw={600}>
        −{file.deletions ?? 0}
      </Text>
    </Text>
  )
}

function Diff({ sha, path }: { sha: string; path: string }) {
  const { address } = useRepo()
  const query = useQuery(diffQuery(address, sha, path))
  return <Loaded query={query}>{(diff) => <DiffBody diff={diff} />}</Loaded>
}

function DiffBody({ diff }: { diff: FileDiff }) {
  if (diff.lfs)
    return (
      <Note>
        Large file{diff.lfs.old && <> from {diff.lfs.old.sha256.slice(0, 12)}</>}
        {diff.lfs.new && <> to {diff.lfs.new.sha256.slice(0, 12)}</>}; its content is not compared.
      </Note>
    )
  if (diff.binary) return <Note>Binary content is not compared.</Note>
  if (diff.too_large) return <Note>The diff is too large to show; use git to see it.</Note>
  if (diff.hunks.length === 0) return <Note>No line changed.</Note>
  return <Hunks hunks={diff.hunks} />
}

function Note({ children }: { children: React.ReactNode }) {
  return (
    <Text size="sm" c="dimmed" p="sm">
      {children}
    </Text>
  )
}
