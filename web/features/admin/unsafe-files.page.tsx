import { Anchor, SegmentedControl, Stack, Table, Text, Title } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { pages } from '../../lib/pages.ts'
import { useQueryState } from '../../lib/query-state.ts'
import { TimeAgo } from '../../ui/facts.tsx'
import { Paged } from '../../ui/loaded.tsx'
import { FramedRows } from '../../ui/framed-rows.tsx'
import { ScanMark } from '../../ui/scan-mark.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { ImportRules } from './import-rules.tsx'
import { unsafeFilesQuery, type UnsafeFile } from './queries.ts'

const choices = [
  { value: 'unsafe', label: 'Unsafe' },
  { value: 'suspicious', label: 'Suspicious' },
  { value: 'failed', label: 'Scan failed' },
] as const
const statusOf = (value: string | null): UnsafeFile['status'] =>
  choices.find((choice) => choice.value === value)?.value ?? 'unsafe'

/** `/admin/unsafe-files`: files of every repo that the scan does not call safe, the latest found first. */
export function Component() {
  const [search, set] = useQueryState()
  const status = statusOf(search.get('status'))
  const query = useInfiniteQuery({ ...unsafeFilesQuery(status), placeholderData: keepPreviousData })
  return (
    <Stack gap="md">
      <div>
        <Title order={1}>Unsafe files</Title>
        <Text size="sm" c="dimmed">
          At the heads of default branches. A file stays available until its repo is disabled or the file
          deleted.
        </Text>
      </div>
      <SegmentedControl
        aria-label="Verdict"
        w="fit-content"
        data={[...choices]}
        value={status}
        onChange={(value) => set('status', value === 'unsafe' ? '' : value)}
      />
      <Paged
        query={query}
        empty={
          <EmptyState picture="shield" title="None found">
            The scan knows of no such file at the head of a default branch.
          </EmptyState>
        }
      >
        {(files) => (
          <FramedRows columns={['File', ['Verdict', 130], ['Found', 140]]}>
            {files.map((file) => (
              <FileRow key={`${file.repo.type}/${file.repo.ns}/${file.repo.name}/${file.path}`} file={file} />
            ))}
          </FramedRows>
        )}
      </Paged>
      <ImportRules />
    </Stack>
  )
}

function FileRow({ file: { repo, branch, path, status, found_at } }: { file: UnsafeFile }) {
  return (
    <Table.Tr>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        <Anchor component={Link} to={pages.blob(repo, branch, path)} ff="monospace" size="sm">
          {path}
        </Anchor>
        <Text size="xs" c="dimmed">
          <Anchor component={Link} to={pages.repo(repo)} inherit>
            {repo.type} {repo.ns}/{repo.name}
          </Anchor>
        </Text>
      </Table.Td>
      <Table.Td data-label="Verdict">
        <ScanMark status={status} />
      </Table.Td>
      <Table.Td data-label="Found">
        <TimeAgo time={found_at} />
      </Table.Td>
    </Table.Tr>
  )
}
