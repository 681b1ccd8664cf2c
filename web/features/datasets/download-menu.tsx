import { Button, Menu, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { formatExact } from '../../lib/format.ts'
import { notifyProblem } from '../../lib/notify.ts'
import type { RowSource } from '../../ui/grid/use-blocks.ts'
import type { SightStore } from '../../ui/grid/use-sight.ts'
import { collectRows, fileText, maxDownloadRows, saveFile, type FileFormat } from './download.ts'

interface DownloadMenuProps {
  source: RowSource
  /** The columns that are shown. */
  columns: string[]
  total: number
  sight: SightStore
  name: string
  /** Opens the list of Parquet files, where there are any. */
  onParquet: (() => void) | undefined
}

/** Writes the rows that are shown into a file: this page, or all that match when they are few. */
export function DownloadMenu({ source, columns, total, sight, name, onParquet }: DownloadMenuProps) {
  const [done, setDone] = useState<number>()
  const running = useRef<AbortController>(undefined)
  const isSmall = total <= maxDownloadRows
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
        <Button size="xs" variant="default" leftSection={<IconDownload size={14} />} disabled={total === 0}>
          Download
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {choices.map(([label, range]) => (
          <div key={label}>
            <Menu.Label>{label}</Menu.Label>
            <Menu.Item onClick={() => void save('csv', range)}>as CSV</Menu.Item>
            <Menu.Item onClick={() => void save('jsonl', range)}>as JSONL</Menu.Item>
          </div>
        ))}
        {onParquet && (
          <>
            <Menu.Divider />
            <Menu.Item onClick={onParquet}>
              All rows as Parquet files
              {!isSmall && (
                <Text size="xs" c="dimmed">
                  More than {formatExact(maxDownloadRows)} rows are not written by the page.
                </Text>
              )}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
