import { ActionIcon, Menu } from '@mantine/core'
import {
  IconArrowDown,
  IconArrowUp,
  IconArrowsSort,
  IconCopy,
  IconDotsVertical,
  IconColumnRemove,
  IconFilter,
} from '@tabler/icons-react'
import { memo, type MouseEvent, type TouchEvent } from 'react'
import type { ColumnStatistics } from '../../../shared/viewer.ts'
import { copyText } from '../../lib/copy-text.ts'
import { Chart, type Picked } from './chart.tsx'
import { typeName } from './feature-types.ts'
import classes from './grid.module.css'
import type { GridColumn } from './use-columns.ts'

export type Direction = 'asc' | 'desc'

/** What a column can be asked for; each is left out where the rows cannot be asked for it. */
export interface ColumnActions {
  sorted?: { name: string; direction: Direction } | undefined
  onSort?: ((name: string, direction: Direction | undefined) => void) | undefined
  onFilter?: ((name: string) => void) | undefined
  onPick?: ((name: string, pick: Picked) => void) | undefined
  isSortable?: ((column: GridColumn) => boolean) | undefined
}

interface HeadCellProps {
  column: GridColumn
  index: number
  start: number
  statistics: ColumnStatistics | undefined
  actions: ColumnActions
  onHide: (name: string) => void
  onResize: (name: string, event: MouseEvent | TouchEvent) => void
  onResetWidth: (name: string) => void
}

/** The head of a column: its name and type, how its values spread, and what can be done with it. */
export const HeadCell = memo(function HeadCell(props: HeadCellProps) {
  const { column, index, start, statistics, actions, onResize, onResetWidth } = props
  const { name, type, width } = column
  const canSort = actions.onSort !== undefined && (actions.isSortable?.(column) ?? true)
  const direction = actions.sorted?.name === name ? actions.sorted.direction : undefined
  const sortName = direction === 'asc' ? 'ascending' : direction === 'desc' ? 'descending' : 'none'
  return (
    <div
      role="columnheader"
      aria-colindex={index + 2}
      {...(canSort ? { 'aria-sort': sortName } : {})}
      className={classes['headCell']}
      style={{ left: start, width }}
    >
      <div className={classes['headLine']}>
        <span className={classes['name']} title={name}>
          {name}
        </span>
        {direction === 'asc' && <IconArrowUp size={14} aria-hidden="true" />}
        {direction === 'desc' && <IconArrowDown size={14} aria-hidden="true" />}
        <ColumnMenu {...props} canSort={canSort} direction={direction} />
      </div>
      <div className={classes['type']} title={typeName(type)}>
        {typeName(type)}
      </div>
      {statistics && (
        <Chart statistics={statistics} onPick={actions.onPick && ((pick) => actions.onPick?.(name, pick))} />
      )}
      <div
        role="presentation"
        className={classes['edge']}
        title="Drag to resize, double-click to reset"
        onMouseDown={(event) => onResize(name, event)}
        onTouchStart={(event) => onResize(name, event)}
        onDoubleClick={() => onResetWidth(name)}
      />
    </div>
  )
})

function ColumnMenu({
  column: { name },
  actions,
  onHide,
  canSort,
  direction,
}: HeadCellProps & { canSort: boolean; direction: Direction | undefined }) {
  const sort = (to: Direction | undefined) => actions.onSort?.(name, to)
  return (
    <Menu position="bottom-end" shadow="md" width={200}>
      <Menu.Target>
        <ActionIcon size="xs" variant="subtle" color="gray" aria-label={`Options of column ${name}`}>
          <IconDotsVertical size={14} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {canSort && (
          <>
            <Menu.Item leftSection={<IconArrowUp size={14} />} onClick={() => sort('asc')}>
              Sort ascending
            </Menu.Item>
            <Menu.Item leftSection={<IconArrowDown size={14} />} onClick={() => sort('desc')}>
              Sort descending
            </Menu.Item>
            {direction && (
              <Menu.Item leftSection={<IconArrowsSort size={14} />} onClick={() => sort(undefined)}>
                Remove the sort order
              </Menu.Item>
            )}
            <Menu.Divider />
          </>
        )}
        {actions.onFilter && (
          <Menu.Item leftSection={<IconFilter size={14} />} onClick={() => actions.onFilter?.(name)}>
            Filter by this column
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconColumnRemove size={14} />} onClick={() => onHide(name)}>
          Hide this column
        </Menu.Item>
        <Menu.Item leftSection={<IconCopy size={14} />} onClick={() => void copyText(name)}>
          Copy its name
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
