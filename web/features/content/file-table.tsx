import { Group, Text } from '@mantine/core'
import { useMemo, useState, type CSSProperties } from 'react'
import { operationUrl } from '../../../shared/client.ts'
import type { ViewerPage } from '../../../shared/viewer.ts'
import { isWorthWaiting, readExact } from '../../lib/exact-read.ts'
import { formatExact } from '../../lib/format.ts'
import { useRepo } from '../../lib/repo-context.ts'
import { keyOf } from '../../lib/repo-queries.ts'
import type { TreeEntry } from '../../lib/types.ts'
import { Grid, heightOf } from '../../ui/grid/grid.tsx'
import { blockRows, useBlocks, type RowSource } from '../../ui/grid/use-blocks.ts'
import { useColumns } from '../../ui/grid/use-columns.ts'
import { RowDrawer } from '../../ui/grid/row-drawer.tsx'
import { EmptyState, ErrorState, ListSkeleton } from '../../ui/states.tsx'
import classes from './file-table.module.css'

/** Answer of the rows of a file. */
interface FileRows extends Pick<ViewerPage, 'features' | 'rows'> {
  /** More rows follow, or may follow in what was not read of the file. */
  truncated: boolean
  /** Of the whole file, where it is known. */
  num_rows?: number
}

/** Where the number of rows is not known, another block is awaited behind each full one. */
function pageOf({ features, rows, truncated, num_rows }: FileRows, offset: number): ViewerPage {
  const seen = offset + rows.length
  const isFull = rows.length === blockRows
  return {
    features,
    rows,
    num_rows_total: num_rows ?? (truncated && isFull ? seen + blockRows : seen),
    num_rows_per_page: blockRows,
    partial: truncated && num_rows === undefined,
  }
}

/** A data file as the table of its rows, read without conversion. */
export default function FileTable({ file, rev }: { file: TreeEntry; rev: string }) {
  const { address } = useRepo()
  const { path, oid } = file
  const source = useMemo<RowSource>(
    () => ({
      key: [...keyOf(address), 'file-rows', rev, path, oid],
      read: async (offset, signal) => {
        const params = { ...address, rev, path }
        const url = operationUrl('getFileRows', { params, query: { offset, length: blockRows } })
        return pageOf(await readExact<FileRows>(url, signal), offset)
      },
      retry: isWorthWaiting,
    }),
    [address, rev, path, oid],
  )
  const rows = useBlocks(source, 0)
  if (rows.first) return <Table first={rows.first} rows={rows} name={file.name} />
  if (rows.error !== undefined) return <ErrorState error={rows.error} onRetry={rows.retry} />
  return <ListSkeleton rows={8} height={36} />
}

interface TableProps {
  first: ViewerPage
  rows: ReturnType<typeof useBlocks>
  name: string
}

function Table({ first, rows, name }: TableProps) {
  const columns = useMemo(() => first.features.map((one) => ({ name: one.name, type: one.type })), [first])
  const [room, setRoom] = useState(0)
  const shown = useColumns(columns, room)
  const [target, setTarget] = useState({ index: 0 })
  const [sight, setSight] = useState({ from: 0, to: 0 })
  const [open, setOpen] = useState<{ index: number; column?: string }>()
  const [onSight] = useState(() => (from: number, to: number) => setSight({ from, to }))
  const [{ total, isEnd }, setKnown] = useState({ total: first.num_rows_total, isEnd: !first.partial })
  // The further one reads, the better the number of rows is known; a block that is not full is the last.
  const page = rows.pageAt(sight.to)
  if (page && !isEnd && (page.rows.length < blockRows || page.num_rows_total > total))
    setKnown({ total: page.num_rows_total, isEnd: page.rows.length < blockRows })
  if (total === 0) return <EmptyState picture="table" title="This file has no rows" />
  return (
    <>
      <div
        className={classes['table']}
        style={{ '--table-height': `${heightOf(columns, total)}px` } as CSSProperties}
      >
        <Grid
          label={`Rows of ${name}`}
          columns={shown}
          rows={rows}
          total={total}
          actions={{}}
          target={target}
          onSight={onSight}
          openIndex={open?.index}
          onOpen={(index, column) => setOpen({ index, column })}
          onSize={setRoom}
        />
      </div>
      {rows.error !== undefined && <ErrorState error={rows.error} onRetry={rows.retry} />}
      <Group px="sm" py={6} gap="xs">
        <Text size="xs" c="dimmed" role="status">
          {`Rows ${formatExact(sight.from)} to ${formatExact(Math.min(sight.to, total - 1))}`}
          {isEnd && (first.partial ? ` of the first ${formatExact(total)}` : ` of ${formatExact(total)}`)}
          {isEnd && first.partial && ': the file goes on, but is not read further here'}
          {rows.isLoading && ' · reading…'}
        </Text>
      </Group>
      {open && (
        <RowDrawer
          columns={columns}
          row={rows.rowAt(open.index)}
          index={open.index}
          total={total}
          column={open.column}
          link={undefined}
          onMove={(index) => {
            setOpen({ ...open, index })
            rows.want(index, index)
            if (index < sight.from || index > sight.to - 1) setTarget({ index: Math.max(0, index - 3) })
          }}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  )
}
