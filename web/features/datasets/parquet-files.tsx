import { Anchor, Stack, Table, Text } from '@mantine/core'
import { fileUrl } from '../../../shared/transfer.ts'
import { formatExact } from '../../lib/format.ts'
import { useRepo } from '../../lib/repo-context.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Size } from '../../ui/facts.tsx'
import { RowTable } from '../../ui/row-table.tsx'
import type { Split } from './queries.ts'

interface ParquetFilesProps {
  config: string
  split: Split
  onClose: () => void
}

/** The ref that holds the converted files. */
const exportRef = 'refs/convert/parquet'

/** The Parquet files that a split is converted to, each to download. */
export function ParquetFiles({ config, split, onClose }: ParquetFilesProps) {
  const { address } = useRepo()
  return (
    <Dialog onClose={onClose} title={`Parquet files of ${config} / ${split.name}`} size="xl">
      <Stack gap="xs">
        <Text size="sm" c="dimmed">
          The rows of this split as Parquet files, in order. They are kept in <code>{exportRef}</code>.
        </Text>
        <RowTable columns={['File', ['Rows', 110], ['Size', 110]]}>
          {split.parquet_files.map(({ path, size, rows }) => (
            <Table.Tr key={path}>
              <Table.Td>
                <Anchor
                  href={fileUrl(address, exportRef, path)}
                  download
                  underline="always"
                  size="sm"
                  ff="monospace"
                >
                  {path}
                </Anchor>
              </Table.Td>
              <Table.Td data-label="Rows">{formatExact(rows)}</Table.Td>
              <Table.Td data-label="Size">
                <Size bytes={size} />
              </Table.Td>
            </Table.Tr>
          ))}
        </RowTable>
      </Stack>
    </Dialog>
  )
}
