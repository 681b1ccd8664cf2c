import { Button, Menu, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { formatExact } from '../../lib/format.ts'
import { notifyProblem } from '../../lib/notify.ts'
import type { RowSource } from '../../ui/grid/use-blocks.ts'
import type { SightStore } from '../../ui/grid/use-sight.ts'
import { api } from '../../lib/api.ts'
import { iconOnPhones } from '../../ui/icon-on-phones.tsx'
import { pages } from '../../lib/pages.ts'
import { downloadUrl } from '../../../shared/viewer-urls.ts'
import type { RowsAsked, SplitAddress } from './queries.ts'
import { collectRows, fileText, maxDownloadRows, saveFile, type FileFormat } from './download.ts'

interface DownloadMenuProps {
  at: SplitAddress
  asked: RowsAsked
  source: RowSource
  /** The columns that are shown. */
  columns: string[]
  total: number
  /** Rows that match; more than `total` where only the first sorted ones are shown. */
  found: number
  sight: SightStore
  name: string
  /** Whether the rows are converted, so that queries can write them. */
  canQuery: boolean
  /** Opens the list of Parquet files, where there are any. */
  onParquet: (() => void) | undefined
}

/** Writes the rows that are shown into a file: this page, or all that match when they are few. */
export function DownloadMenu(props: DownloadMenuProps) {
  const { at, asked, source, columns, total, found, sight, name, canQuery, onParquet } = props
  const [done, setDone] = useState<number>()
  const running = useRef<AbortController>(undefined)
  const isSmall = found <= maxDownloadRows
  const page = Math.floor(sight.use().from / 100) * 100
  const save = async (format: FileFormat, range: { from: number; count: number }) => {
    const controller = new AbortController()
    running.current = controller
    setDone(0)
    try {
      const rows = await collectRows(source.read, range, setDone, controller.signal)
      saveFile(name, format, fileText(format, columns, rows))
    } catch (error) {
      if (!controller.signal.aborted) notifyProblem(error)
    } finally {
      setDone(undefined)
    }
  }
  if (done !== undefined)
    return (
      <Button size="xs" variant="default" onClick={() => running.current?.abort()}>
        {`${formatExact(done)} rows · Cancel`}
      </Button>
    )
  const choices: [string, { from: number; count: number }][] = [
    ...(isSmall
      ? [
          [`All ${formatExact(total)} rows`, { from: 0, count: total }] as [
            string,
            { from: number; count: number },
          ],
        ]
      : []),
    [
      `Rows ${formatExact(page)} to ${formatExact(Math.min(page + 100, total) - 1)}`,
      { from: page, count: 100 },
    ],
  ]
  return (
    <Menu position="bottom-end" shadow="md" width={260}>
      <Menu.Target>
        <Button
          size="xs"
          variant="default"
          {...iconOnPhones('Download', <IconDownload size={14} />)}
          disabled={total === 0}
        />
      </Menu.Target>
      <Menu.Dropdown>
        {canQuery && !isSmall && (
          <>
            <Menu.Label>{`All ${formatExact(found)} rows`}</Menu.Label>
            <ParquetItem at={at} asked={asked} columns={columns} found={found} />
          </>
        )}
        {choices.map(([label, range], i) => (
          <div key={label}>
            <Menu.Label>{label}</Menu.Label>
            <Menu.Item onClick={() => void save('csv', range)}>as CSV</Menu.Item>
            <Menu.Item onClick={() => void save('jsonl', range)}>as JSONL</Menu.Item>
            {canQuery && isSmall && i === 0 && (
              <ParquetItem at={at} asked={asked} columns={columns} found={found} />
            )}
          </div>
        ))}
        {onParquet && (
          <>
            <Menu.Divider />
            <Menu.Item onClick={onParquet}>The Parquet files of the split</Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

type ParquetProps = Pick<DownloadMenuProps, 'at' | 'asked' | 'columns' | 'found'>

/** All rows that match, as one Parquet file: at once where they are few, else by a job. */
function ParquetItem({ at, asked, columns, found }: ParquetProps) {
  const navigate = useNavigate()
  const { address, config, split } = at
  const { search, where, orderby } = asked
  if (found <= maxDownloadRows)
    return (
      <Menu.Item
        component="a"
        download
        href={downloadUrl(
          { dataset: `${address.ns}/${address.name}`, config, split, query: search, where, orderby },
          columns,
        )}
      >
        as Parquet
      </Menu.Item>
    )
  const begin = async () => {
    try {
      const { ns, name } = address
      const { id } = await api.createDatasetExport({
        params: { ns, name },
        body: {
          config,
          split,
          columns,
          ...(search ? { query: search } : {}),
          ...(where ? { where } : {}),
          ...(orderby ? { orderby } : {}),
        },
      })
      await navigate(pages.job(id))
    } catch (error) {
      notifyProblem(error)
    }
  }
  return (
    <Menu.Item onClick={() => void begin()}>
      as Parquet
      <Text size="xs" c="dimmed">
        A job writes more than {formatExact(maxDownloadRows)} rows; its page has the link.
      </Text>
    </Menu.Item>
  )
}
