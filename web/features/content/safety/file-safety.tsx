import { Button, List, Stack, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useRepo } from '../../../lib/repo-context.ts'
import { Loaded } from '../../../ui/loaded.tsx'
import { Mark } from '../../../ui/mark.tsx'
import { RowTable } from '../../../ui/row-table.tsx'
import { Section } from '../../../ui/section.tsx'
import { fileScanQuery, type FileScan } from './queries.ts'
import { wordsOf } from './words.ts'

/** What the scan found in a file, what each finding means, and what to do. */
export function FileSafety({ rev, path }: { rev: string; path: string }) {
  const { address } = useRepo()
  const query = useQuery(fileScanQuery(address, rev, path))
  return (
    <Section title="Security" danger={query.data?.status === 'unsafe'}>
      <Loaded query={query}>{(scan) => <Findings scan={scan} />}</Loaded>
    </Section>
  )
}

function Findings({ scan }: { scan: FileScan }) {
  const { title, advice } = wordsOf(scan)
  const color = { unsafe: 'var(--mantine-color-error)' }[scan.status as string]
  return (
    <Stack gap="sm">
      <div aria-live="polite">
        <Text fw={600} {...(color ? { c: color } : {})}>
          {title}
        </Text>
        <Text size="sm">{advice}</Text>
      </div>
      {scan.problems.length > 0 && (
        <List size="sm">
          {scan.problems.map(({ code, message, severity }) => (
            <List.Item key={`${code} ${message}`}>
              {message} <Mark {...colorOf(severity)}>{code}</Mark>
            </List.Item>
          ))}
        </List>
      )}
      {scan.imports.length > 0 && <Imports imports={scan.imports} />}
      <Text size="xs" c="dimmed">
        {scan.scanner}. The scan reads files; it never runs them.
      </Text>
    </Stack>
  )
}

const colorOf = (severity: FileScan['problems'][number]['severity']) =>
  severity === 'error' ? { color: 'danger' } : severity === 'warning' ? { color: 'caution' } : {}

const safetyColors = { dangerous: 'danger', suspicious: 'caution', innocuous: 'safe' } as const
/** Imports that are shown at first. */
const few = 10

function Imports({ imports }: { imports: FileScan['imports'] }) {
  const [isAll, setAll] = useState(false)
  const shown = isAll ? imports : imports.slice(0, few)
  return (
    <div>
      <RowTable columns={['It imports', ['Verdict', 110], 'What that means']}>
        {shown.map(({ module, name, safety, meaning }) => (
          <Table.Tr key={`${module} ${name}`}>
            <Table.Td style={{ overflowWrap: 'anywhere' }} ff="monospace" fz="sm">
              {module}.{name}
            </Table.Td>
            <Table.Td>
              <Mark color={safetyColors[safety]}>{safety}</Mark>
            </Table.Td>
            <Table.Td fz="sm">{meaning}</Table.Td>
          </Table.Tr>
        ))}
      </RowTable>
      {imports.length > shown.length && (
        <Button size="xs" variant="default" mt="xs" onClick={() => setAll(true)}>
          Show all {imports.length}
        </Button>
      )}
    </div>
  )
}
