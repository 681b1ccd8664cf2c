import { CloseButton, Group, Progress, Text } from '@mantine/core'
import { memo } from 'react'
import { Size } from '../../ui/facts.tsx'
import type { UploadEntry } from './state.ts'
import frame from '../../ui/ui.module.css'
import classes from './uploads.module.css'

interface UploadListProps {
  entries: UploadEntry[]
  /** Absent while the upload runs. */
  onRemove: ((path: string) => void) | undefined
}

/** The chosen files, each with what becomes of it and how far it is. */
export function UploadList({ entries, onRemove }: UploadListProps) {
  return (
    <ul className={`${frame['raised']} ${classes['list']}`} aria-label="Chosen files">
      {entries.map((entry) => (
        <Row key={entry.path} entry={entry} canRemove={onRemove !== undefined} onRemove={onRemove} />
      ))}
    </ul>
  )
}

interface RowProps {
  entry: UploadEntry
  canRemove: boolean
  onRemove: ((path: string) => void) | undefined
}

const Row = memo(
  function Row({ entry, canRemove, onRemove }: RowProps) {
    const isMoving = entry.phase === 'hashing' || entry.phase === 'sending'
    const percent = entry.file.size === 0 ? 100 : (entry.doneBytes / entry.file.size) * 100
    return (
      <li className={classes['row']}>
        <Text size="sm" ff="monospace" miw={0} flex={1} style={{ overflowWrap: 'anywhere' }}>
          {entry.path}
        </Text>
        <Group gap="sm" wrap="nowrap">
          {isMoving && <Progress value={percent} w={96} aria-label={`Progress of ${entry.path}`} />}
          <Text size="xs" c={entry.fault ? 'danger' : 'dimmed'} miw={110} ta="right">
            {stateText(entry)}
          </Text>
          <Text size="xs" miw={72} ta="right" component="div">
            <Size bytes={entry.file.size} />
          </Text>
          {canRemove && onRemove && (
            <CloseButton
              size="sm"
              aria-label={`Leave out ${entry.path}`}
              onClick={() => onRemove(entry.path)}
            />
          )}
        </Group>
      </li>
    )
  },
  (before, after) => before.entry === after.entry && before.canRemove === after.canRemove,
)

function stateText({ phase, mode, fault }: UploadEntry): string {
  if (fault) return fault
  if (phase === 'hashing') return 'hashing'
  if (phase === 'sending') return 'sending'
  if (phase === 'verifying') return 'verifying'
  if (phase === 'stored') return 'uploaded'
  if (mode === 'inline') return 'within the commit'
  if (mode === 'skip') return 'already stored'
  return mode === 'upload' ? 'to be uploaded' : 'ready'
}
