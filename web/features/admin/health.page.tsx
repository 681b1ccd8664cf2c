import { Alert, Skeleton, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { CommandLine } from '../../ui/command-line.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { FramedRows } from '../../ui/framed-rows.tsx'
import { FetchedHead } from './fetched-head.tsx'
import { FindingMark, results, summaryOf, type Finding } from './finding-mark.tsx'
import { healthQuery } from './queries.ts'

/** `/admin/health`: what the checks of `arsenal doctor` find, worst first. */
export function Component() {
  const query = useQuery(healthQuery)
  return (
    <div className="in-order">
      <FetchedHead title="Health" query={query} done="Checked" again="Check again" />
      <Loaded
        query={query}
        skeleton={<Skeleton height={320} role="status" aria-label="Loading" aria-busy="true" />}
      >
        {(health) => <Findings findings={health.findings} />}
      </Loaded>
      <Text size="sm" mt="lg" mb="xs">
        The same from a shell, also while no server runs:
      </Text>
      <CommandLine command="arsenal doctor" />
    </div>
  )
}

function Findings({ findings }: { findings: Finding[] }) {
  const worst = results.find((result) => findings.some(({ status }) => status === result)) ?? 'ok'
  return (
    <>
      <Alert
        mb="md"
        role="status"
        color={worst === 'fail' ? 'danger' : worst === 'warn' ? 'caution' : 'safe'}
        icon={worst === 'ok' ? <IconCircleCheck size={18} /> : <IconAlertTriangle size={18} />}
        title={summaryOf(findings)}
      />
      <FramedRows columns={[['Result', 120], ['Check', 160], 'Finding', 'What to do']}>
        {results.flatMap((status) =>
          findings
            .filter((finding) => finding.status === status)
            .map((finding) => <FindingRow key={`${finding.check} ${finding.text}`} finding={finding} />),
        )}
      </FramedRows>
    </>
  )
}

function FindingRow({ finding: { check, status, text, fix } }: { finding: Finding }) {
  return (
    <Table.Tr>
      <Table.Td>
        <FindingMark status={status} />
      </Table.Td>
      <Table.Td data-label="Check">{check}</Table.Td>
      <Table.Td data-label="Finding" style={{ overflowWrap: 'anywhere' }}>
        {text}
      </Table.Td>
      <Table.Td data-label="What to do" style={{ overflowWrap: 'anywhere' }}>
        {fix ?? '–'}
      </Table.Td>
    </Table.Tr>
  )
}
