import { ActionIcon, Drawer, Group, Text } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import type { NamedFeature, ViewerRow } from '../../../shared/viewer.ts'
import { stringifyExact } from '../../lib/exact-json.ts'
import { formatExact } from '../../lib/format.ts'
import { useFocusGivenBack } from '../../lib/focus-given-back.ts'
import { useTopmost } from '../../lib/topmost.ts'
import { CopyButton } from '../copy-button.tsx'
import { ListSkeleton } from '../states.tsx'
import { wholeText } from './cell-text.ts'
import { typeName } from './feature-types.ts'
import { valueAt } from './row-values.ts'
import { Value } from './value.tsx'
import classes from './value.module.css'

interface RowDrawerProps {
  columns: NamedFeature[]
  /** Left out while it is awaited. */
  row: ViewerRow | undefined
  index: number
  total: number
  /** The column to begin at. */
  column: string | undefined
  /** The address of this row. */
  link: string | undefined
  onMove: (index: number) => void
  onClose: () => void
}

/** One row with every cell in full, beside the table. */
export function RowDrawer(props: RowDrawerProps) {
  const { columns, row, index, total, column, link, onMove, onClose } = props
  useFocusGivenBack()
  const isTopmost = useTopmost()
  const move = (by: number) => {
    if (index + by >= 0 && index + by < total) onMove(index + by)
  }
  useHotkeys(
    [
      ['ArrowLeft', () => move(-1)],
      ['ArrowRight', () => move(1)],
      ['k', () => move(-1)],
      ['j', () => move(1)],
    ],
    ['INPUT', 'TEXTAREA', 'SELECT', 'AUDIO', 'VIDEO'],
  )
  return (
    <Drawer
      opened
      onClose={() => isTopmost() && onClose()}
      returnFocus={false}
      lockScroll={false}
      // Without it screen readers announce a part of the page inside the dialog.
      attributes={{ header: { role: 'presentation' } }}
      position="right"
      size="min(640px, 100vw)"
      overlayProps={{ backgroundOpacity: 0.15 }}
      closeButtonProps={{ 'aria-label': 'Close' }}
      transitionProps={{ duration: 120 }}
      title={
        <Group gap="xs" wrap="nowrap">
          <Text fw={600}>Row {row ? formatExact(row.row_idx) : ''}</Text>
          <ActionIcon
            size="sm"
            variant="default"
            aria-label="Previous row"
            disabled={index === 0}
            onClick={() => move(-1)}
          >
            <IconArrowUp size={14} />
          </ActionIcon>
          <ActionIcon
            size="sm"
            variant="default"
            aria-label="Next row"
            disabled={index >= total - 1}
            onClick={() => move(1)}
          >
            <IconArrowDown size={14} />
          </ActionIcon>
          {row && <CopyButton text={stringifyExact(row.row, 2)} label="Copy the row as JSON" />}
          {link && (
            <Text size="xs" c="dimmed" component="span">
              Link <CopyButton text={link} label="Copy a link to this row" />
            </Text>
          )}
        </Group>
      }
    >
      {row ? (
        columns.map((one) => <Field key={one.name} column={one} row={row} isChosen={one.name === column} />)
      ) : (
        <ListSkeleton rows={4} height={64} />
      )}
    </Drawer>
  )
}

function Field({ column, row, isChosen }: { column: NamedFeature; row: ViewerRow; isChosen: boolean }) {
  const ref = useRef<HTMLElement>(null)
  useEffect(() => {
    if (isChosen) ref.current?.scrollIntoView({ block: 'nearest' })
  }, [isChosen])
  const value = valueAt(row, column.name)
  return (
    <section
      ref={ref}
      className={classes['field']}
      data-chosen={isChosen || undefined}
      aria-label={column.name}
    >
      <div className={classes['fieldHead']}>
        <span className={classes['fieldName']}>{column.name}</span>
        <Text size="xs" c="dimmed" component="span">
          {typeName(column.type)}
        </Text>
        {value !== null && value !== undefined && (
          <CopyButton text={wholeText(value, 2)} label={`Copy ${column.name}`} />
        )}
      </div>
      <Value type={column.type} value={value} isCut={row.truncated_cells.includes(column.name)} />
    </section>
  )
}
