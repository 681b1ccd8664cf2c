import { Button } from '@mantine/core'
import { useElementSize, useMergedRef } from '@mantine/hooks'
import { observeElementOffset, useVirtualizer } from '@tanstack/react-virtual'
import {
  useCallback,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
  type MouseEvent,
  type TouchEvent,
} from 'react'
import type { ColumnStatistics, NamedFeature } from '../../../shared/viewer.ts'
import { formatExact } from '../../lib/format.ts'
import { isTall } from './feature-types.ts'
import { HeadCell, type ColumnActions } from './grid-head.tsx'
import { cellId, GridRow } from './grid-row.tsx'
import classes from './grid.module.css'
import { segmentAt } from './segments.ts'
import type { Rows } from './use-blocks.ts'
import type { Columns } from './use-columns.ts'
import { useGridKeys } from './use-grid-keys.ts'

/** Widths and heights in pixels; the style sheet has the same. */
const gutterWidth = 86
const rowHeight = 36
const tallRowHeight = 120
const stripHeight = 48
const headHeight = { plain: 52, withCharts: 94 }

/** The height that a table needs to show all its rows; beyond a window's height it scrolls anyway. */
export const heightOf = (columns: NamedFeature[], total: number): number =>
  headHeight.withCharts + 20 + Math.min(total, 200) * heightOfRows(columns)

const heightOfRows = (columns: NamedFeature[]) =>
  columns.some(({ type }) => isTall(type)) ? tallRowHeight : rowHeight

/**
 * Two follow one scroller, of which most scrolls move one; and where the rows of a place were drawn with it, the scroll
 * that goes there moves none. What has not moved is not drawn again.
 */
const observeMoves: typeof observeElementOffset = (instance, report) =>
  observeElementOffset(instance, (offset, isScrolling) => {
    if (!isScrolling || offset !== instance.scrollOffset) report(offset, isScrolling)
  })

export interface GridProps {
  label: string
  columns: Columns
  rows: Rows
  total: number
  statistics?: ReadonlyMap<string, ColumnStatistics> | undefined
  actions: ColumnActions
  /** The row to show; another object scrolls there. */
  target: { index: number }
  /** Says which rows are in sight. */
  onSight: (from: number, to: number) => void
  /** The row whose details are open. */
  openIndex: number | undefined
  onOpen: (index: number, column: string) => void
  onSize: (width: number) => void
}

/** A table of any number of rows and columns, of which those in sight are drawn and fetched. */
export function Grid(props: GridProps) {
  const { label, rows, total, statistics, actions, target, onSight, openIndex, onOpen, onSize } = props
  const { shown, toggle, resize, resetWidth } = props.columns
  const gridId = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const { ref: sizeRef, width } = useElementSize<HTMLDivElement>()
  const ref = useMergedRef(scroller, sizeRef)
  useEffect(() => onSize(width - gutterWidth), [onSize, width])

  const [{ at, asked }, setPlace] = useState({ at: target, asked: target })
  if (asked !== target) setPlace({ at: target, asked: target })
  const go = (index: number) => setPlace({ at: { index }, asked: target })
  const segment = segmentAt(at.index, total)
  const height = heightOfRows(shown)
  const head = statistics && statistics.size > 0 ? headHeight.withCharts : headHeight.plain
  const before = segment.hasBefore ? stripHeight : 0
  const vertical = useVirtualizer({
    count: segment.rows,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: 8,
    scrollMargin: head,
    paddingStart: before,
    paddingEnd: segment.hasAfter ? stripHeight : 0,
    scrollPaddingStart: head,
    observeElementOffset: observeMoves,
  })
  const horizontal = useVirtualizer({
    horizontal: true,
    count: shown.length,
    getScrollElement: () => scroller.current,
    estimateSize: (i) => shown[i]?.width ?? 0,
    overscan: 2,
    scrollMargin: gutterWidth,
    scrollPaddingStart: gutterWidth,
    observeElementOffset: observeMoves,
  })
  useEffect(() => vertical.measure(), [vertical, height])
  useEffect(() => horizontal.measure(), [horizontal, shown])

  // The rows of a place are drawn with it, not first those of its segment that stand where one was.
  const [drawn] = useState<{ at?: typeof at; top: number }>({ top: 0 })
  if (drawn.at !== at) {
    const index = Math.max(0, Math.min(at.index, total - 1)) - segment.from
    const end = head + vertical.getTotalSize() - (scroller.current?.clientHeight ?? 600)
    const top = Math.max(0, Math.min(before + Math.max(0, index) * height, end))
    Object.assign(drawn, { at, top })
    vertical.scrollOffset = top
  }
  // Other rows or a longer table leave the reader where they are.
  useEffect(() => {
    scroller.current?.scrollTo({ top: drawn.top })
    // oxlint-disable-next-line react/exhaustive-deps
  }, [at])

  const items = vertical.getVirtualItems()
  const cells = horizontal.getVirtualItems()
  const top = vertical.scrollOffset ?? 0
  const first = segment.from + Math.max(0, Math.floor((top - before) / height))
  const inSight = Math.ceil(((scroller.current?.clientHeight ?? 600) - head) / height)
  const last = Math.max(first, Math.min(first + inSight, segment.from + segment.rows) - 1)
  const { want } = rows
  useEffect(() => {
    want(first, last)
    onSight(first, last)
  }, [want, onSight, first, last])

  const drawnColumns = useMemo(
    () => cells.flatMap(({ index, start }) => (shown[index] ? [{ column: shown[index], index, start }] : [])),
    [cells, shown],
  )
  const keys = useGridKeys({
    rows: total,
    columns: shown,
    page: Math.max(1, inSight - 1),
    first,
    show: (row, column) => {
      if (segmentAt(row, total).number === segment.number) vertical.scrollToIndex(row - segment.from)
      else go(row)
      horizontal.scrollToIndex(column)
    },
    open: onOpen,
    rowAt: rows.rowAt,
  })
  const press = (event: MouseEvent<HTMLElement>) => {
    const cell = (event.target as HTMLElement).closest<HTMLElement>('[data-column]')
    const row = cell?.closest<HTMLElement>('[data-index]')
    if (!cell || !row || !window.getSelection()?.isCollapsed) return
    if ((event.target as HTMLElement).closest('audio, a, button')) return
    const index = Number(row.dataset['index'])
    const column = Number(cell.dataset['column'])
    keys.activate(index, Math.max(0, column))
    onOpen(index, shown[column]?.name ?? '')
  }
  const onHide = useCallback((name: string) => toggle(name, false), [toggle])
  const onResize = useCallback(
    (name: string, event: MouseEvent | TouchEvent) => resize(name)?.(event),
    [resize],
  )
  const tableWidth = gutterWidth + shown.reduce((sum, column) => sum + column.width, 0)
  return (
    <div className={classes['root']}>
      <div
        ref={ref}
        className={classes['grid']}
        role="grid"
        aria-label={label}
        aria-rowcount={total + 1}
        aria-colcount={shown.length + 1}
        aria-busy={rows.isLoading}
        aria-activedescendant={keys.active && cellId(gridId, keys.active.row, keys.active.column)}
        tabIndex={0}
        onKeyDown={keys.onKeyDown}
        onClick={press}
      >
        <div
          className={classes['head']}
          role="row"
          aria-rowindex={1}
          style={{ width: tableWidth, height: head }}
        >
          <div role="columnheader" aria-colindex={1} className={classes['corner']}>
            row
          </div>
          {drawnColumns.map(({ column, index, start }) => (
            <HeadCell
              key={column.name}
              column={column}
              index={index}
              start={start}
              statistics={statistics?.get(column.name)}
              actions={actions}
              onHide={onHide}
              onResize={onResize}
              onResetWidth={resetWidth}
            />
          ))}
        </div>
        <div
          role="rowgroup"
          className={classes['body']}
          style={{ width: tableWidth, height: vertical.getTotalSize() }}
        >
          {segment.hasBefore && (
            <Strip top={0} onGo={() => go(segment.from - 1)}>
              {`Rows before ${formatExact(segment.from + 1)}`}
            </Strip>
          )}
          {items.map(({ index, start }) => {
            const row = segment.from + index
            return (
              <GridRow
                key={row}
                index={row}
                top={start - head}
                height={height}
                columns={drawnColumns}
                row={rows.rowAt(row)}
                active={keys.active?.row === row ? keys.active.column : undefined}
                isOpen={openIndex === row}
                gridId={gridId}
              />
            )
          })}
          {segment.hasAfter && (
            <Strip top={before + segment.rows * height} onGo={() => go(segment.from + segment.rows)}>
              {`Rows after ${formatExact(segment.from + segment.rows)}`}
            </Strip>
          )}
        </div>
      </div>
    </div>
  )
}

/** Leads to the rows beyond those that one scroll bar moves through. */
function Strip({ top, onGo, children }: { top: number; onGo: () => void; children: string }) {
  return (
    <div role="row" className={classes['strip']} style={{ top, height: stripHeight }}>
      <div role="gridcell" className={classes['stripCell']}>
        <Button size="xs" variant="default" onClick={onGo}>
          {children}
        </Button>
      </div>
    </div>
  )
}
