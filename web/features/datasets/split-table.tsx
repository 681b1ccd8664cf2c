import { Alert, Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState, type CSSProperties, type ReactNode } from 'react'
import { pages } from '../../lib/pages.ts'
import { useRepo } from '../../lib/repo-context.ts'
import { createStore, type Store } from '../../lib/store.ts'
import { Grid, heightOf, type GridProps } from '../../ui/grid/grid.tsx'
import { blockRows, useBlocks } from '../../ui/grid/use-blocks.ts'
import { useColumns } from '../../ui/grid/use-columns.ts'
import { useSight } from '../../ui/grid/use-sight.ts'
import { EmptyState, ErrorState, ListSkeleton } from '../../ui/states.tsx'
import { parseSort, sortText, useViewerState, writeState } from './address.ts'
import frame from '../../ui/ui.module.css'
import classes from './datasets.module.css'
import { FilterForm, emptyCondition } from './filter-form.tsx'
import { Footer } from './footer.tsx'
import { OpenRow, type Opened } from './open-row.tsx'
import { conditionsOf, isPickable, isSortable } from './picks.ts'
import {
  isPlain,
  previewSource,
  rowSource,
  statisticsQuery,
  type Config,
  type Split,
  type SplitAddress,
} from './queries.ts'
import { Toolbar } from './toolbar.tsx'
import type { NamedFeature, ViewerValidity } from '../../../shared/viewer.ts'
import { narrowed } from './where.ts'

interface SplitTableProps {
  at: SplitAddress
  config: Config
  split: Split
  validity: ViewerValidity
  /** What picks another config or split. */
  pickers: ReactNode
}

/** The height that shows all rows, for the style sheet. */
const heightStyle = (columns: NamedFeature[], total: number) =>
  ({ '--table-height': `${heightOf(columns, total)}px` }) as CSSProperties

/** The server sorts so many rows; those behind them are found by a filter. */
const maxSortedRows = 10_000

/** How long a scroll rests before the address says where it is. */
const restMs = 400

/** The rows of a split: search, filter, order, the table, and one row in full. */
export function SplitTable({ at, config, split, validity, pickers }: SplitTableProps) {
  const { repo } = useRepo()
  const [state, change] = useViewerState()
  const { search, filter: where, sort } = state
  const asked = useMemo(() => ({ search, where, orderby: sort }), [search, where, sort])
  const plain = isPlain(asked)
  const source = useMemo(
    () => (validity.viewer || !plain ? rowSource(at, asked) : previewSource(at)),
    [at, asked, plain, validity.viewer],
  )
  const begin = plain && state.row !== undefined ? state.row : state.page * blockRows
  const rows = useBlocks(source, begin)
  const features = rows.first?.features ?? config.features
  const featureKey = JSON.stringify(features)
  // Each block brings the same columns again.
  // oxlint-disable-next-line react/exhaustive-deps
  const columns = useMemo(() => features.map(({ name, type }) => ({ name, type })), [featureKey])
  const [room, setRoom] = useState(0)
  const shown = useColumns(columns, room)
  const found = rows.first?.num_rows_total ?? (plain ? (split.rows ?? 0) : 0)
  const total = sort ? Math.min(found, maxSortedRows) : found
  const statistics = useQuery({ ...statisticsQuery(at), enabled: plain && validity.statistics })
  const byName = useMemo(
    () =>
      plain && statistics.data && new Map(statistics.data.statistics.map((one) => [one.column_name, one])),
    [plain, statistics.data],
  )

  const [aim] = useState(() => createStore({ index: begin }))
  const sight = useSight(begin)
  const [opened] = useState(() =>
    createStore<Opened | undefined>(plain && state.row !== undefined ? { index: state.row } : undefined),
  )
  const [filterDraft, setFilterDraft] = useState<string>()

  // A row of filtered rows is found by its number once its page is there.
  const [sought, setSought] = useState(plain ? undefined : state.row)
  useEffect(() => {
    if (sought === undefined || !rows.first) return
    const found = rows.first.rows.findIndex(({ row_idx }) => row_idx === sought)
    if (found >= 0) opened.set({ index: Math.floor(begin / blockRows) * blockRows + found })
    setSought(undefined)
  }, [sought, rows.first, begin, opened])

  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const changeLater = useRef(change)
  changeLater.current = change
  const onSight = useCallback(
    (from: number, to: number) => {
      sight.report(from, to)
      clearTimeout(timer.current)
      timer.current = setTimeout(() => changeLater.current({ page: Math.floor(from / blockRows) }), restMs)
    },
    [sight],
  )
  useEffect(() => () => clearTimeout(timer.current), [])

  /** Other rows begin at the top, with none open. */
  const ask = (changes: Partial<typeof state>) => {
    opened.set(undefined)
    aim.set({ index: 0 })
    change({ ...changes, page: 0, row: undefined })
  }
  const applyFilter = (text: string) => {
    if (filterDraft !== undefined) setFilterDraft(text || undefined)
    ask({ filter: text, search: '' })
  }
  const showAll = () => {
    setFilterDraft(undefined)
    ask({ search: '', filter: '', sort: '' })
  }
  const actions = {
    sorted: parseSort(sort),
    isSortable,
    ...(validity.filter
      ? {
          onSort: (name: string, direction: 'asc' | 'desc' | undefined) =>
            ask({ sort: direction ? sortText({ name, direction }) : '', search: '' }),
          onFilter: (name: string) =>
            setFilterDraft(narrowed(where, [emptyCondition(columns, [name])], columns)),
          onPick: (name: string, picked: Parameters<typeof conditionsOf>[1]) => {
            const column = columns.find((one) => one.name === name)
            if (column && (isPickable(column) || 'isNull' in picked))
              applyFilter(narrowed(where, conditionsOf(column, picked), columns))
          },
        }
      : {}),
  }
  const link = (index: number, number: number | undefined) => {
    const query = writeState(new URLSearchParams(window.location.search), {
      page: Math.floor(index / blockRows),
      row: number,
    })
    return `${location.origin}${pages.viewer(repo, config.name, split.name)}?${query}`
  }
  const isEmpty = rows.first !== undefined && total === 0
  return (
    <>
      <Toolbar
        pickers={pickers}
        state={state}
        validity={validity}
        columns={columns}
        shown={shown}
        at={at}
        asked={asked}
        source={source}
        config={config}
        split={split}
        total={total}
        found={found}
        sight={sight}
        onSearch={(text) => ask({ search: text, filter: '', sort: '' })}
        onFilter={() => setFilterDraft(filterDraft === undefined ? where : undefined)}
        onClear={showAll}
      />
      {filterDraft !== undefined && (
        <FilterForm
          key={filterDraft}
          columns={columns}
          where={filterDraft}
          isApplied={where !== ''}
          onApply={applyFilter}
          onClose={() => setFilterDraft(undefined)}
        />
      )}
      {rows.error !== undefined && rows.first === undefined ? (
        <ErrorState error={rows.error} onRetry={rows.retry} />
      ) : isEmpty ? (
        <NoRows isPlain={plain} onClear={showAll} />
      ) : total === 0 ? (
        <ListSkeleton rows={10} height={36} />
      ) : (
        <div className={`${frame['raised']} ${classes['frame']}`} style={heightStyle(columns, total)}>
          <div className={classes['table']}>
            <AimedGrid
              key={JSON.stringify(source.key)}
              label={`Rows of ${config.name} / ${split.name}`}
              columns={shown}
              rows={rows}
              total={total}
              statistics={byName || undefined}
              actions={actions}
              aim={aim}
              onSight={onSight}
              opened={opened}
              onOpen={(index, column) => opened.set({ index, column })}
              onSize={setRoom}
            />
          </div>
          {rows.error !== undefined && <Failed onRetry={rows.retry} error={rows.error} />}
          <Footer
            sight={sight}
            total={total}
            found={found}
            rows={rows}
            asked={asked}
            split={split}
            isPreview={!validity.viewer}
            onGo={(index) => aim.set({ index })}
          />
        </div>
      )}
      {sought === undefined && (
        <OpenRow
          opened={opened}
          rows={rows}
          total={total}
          columns={columns}
          isPlain={plain}
          named={state.row}
          onName={(row) => changeLater.current({ row })}
          linkOf={link}
          onMove={(index) => {
            rows.want(index, index)
            const { from, to } = sight.get()
            if (index < from || index > to - 1) aim.set({ index: Math.max(0, index - 3) })
          }}
        />
      )}
    </>
  )
}

interface AimedGridProps extends Omit<GridProps, 'target' | 'openIndex'> {
  aim: Store<{ index: number }>
  opened: Store<Opened | undefined>
}

/** The table, drawn again by itself where other rows are gone to or one is opened. */
function AimedGrid({ aim, opened, ...props }: AimedGridProps) {
  return <Grid {...props} target={aim.use()} openIndex={opened.use()?.index} />
}

/** Says of some rows that they did not come; the others stay. */
function Failed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <Alert color="danger" py={6} radius={0}>
      <Group gap="sm">
        <Text size="sm">
          Some rows could not be read: {error instanceof Error ? error.message : String(error)}
        </Text>
        <Button size="compact-xs" variant="default" onClick={onRetry}>
          Try again
        </Button>
      </Group>
    </Alert>
  )
}

function NoRows({ isPlain, onClear }: { isPlain: boolean; onClear: () => void }) {
  if (isPlain) return <EmptyState picture="table" title="This split has no rows" />
  return (
    <EmptyState
      picture="table"
      title="No row matches"
      action={
        <Button size="xs" variant="default" onClick={onClear}>
          Show all rows
        </Button>
      }
    />
  )
}
