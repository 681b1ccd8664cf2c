import { Anchor, Stack, Table, Tabs, Text } from '@mantine/core'
import { fileUrl } from '../../../shared/transfer.ts'
import { formatExact } from '../../lib/format.ts'
import { useRepo } from '../../lib/repo-context.ts'
import { CommandLine } from '../../ui/command-line.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Size } from '../../ui/facts.tsx'
import type { Split } from './queries.ts'
import { splitSnippets } from './split-snippets.ts'

interface UseSplitProps {
  config: string
  split: Split
  tab: string
  onClose: () => void
}

/** The ref that holds the converted files. */
const exportRef = 'refs/convert/parquet'

/** How to load a split elsewhere, and the Parquet files it is converted to. */
export function UseSplit({ config, split, tab, onClose }: UseSplitProps) {
  const { repo, address } = useRepo()
  const files = split.parquet_files
  const isClosed = repo.visibility === 'private' || repo.gated !== false
  const at = { ...address, config, split: split.name, files: files.length, isClosed }
  const all = splitSnippets(at, location.origin).filter(({ id }) => id === 'datasets' || files.length > 0)
  return (
    <Dialog onClose={onClose} title={`Use ${config} / ${split.name}`} size="xl">
      <Tabs defaultValue={tab}>
        <Tabs.List mb="md">
          {all.map(({ id, label }) => (
            <Tabs.Tab key={id} value={id}>
              {label}
            </Tabs.Tab>
          ))}
          {files.length > 0 && <Tabs.Tab value="files">Parquet files</Tabs.Tab>}
        </Tabs.List>
        {all.map(({ id, label, code }) => (
          <Tabs.Panel key={id} value={id}>
            <CommandLine label={label} command={code} />
          </Tabs.Panel>
        ))}
        <Tabs.Panel value="files">
          <Stack gap="xs">
            <Text size="sm" c="dimmed">
              The rows of this split as Parquet files, in order. They are kept in <code>{exportRef}</code>.
            </Text>
            <Table.ScrollContainer minWidth={420} mah="50vh">
              <Table>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>File</Table.Th>
                    <Table.Th ta="end">Rows</Table.Th>
                    <Table.Th ta="end">Size</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {files.map(({ path, size, rows }) => (
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
                      <Table.Td ta="end">{formatExact(rows)}</Table.Td>
                      <Table.Td ta="end">
                        <Size bytes={size} />
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
          </Stack>
        </Tabs.Panel>
      </Tabs>
    </Dialog>
  )
}
