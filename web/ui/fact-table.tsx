import { Table } from '@mantine/core'
import type { ReactNode } from 'react'

interface FactTableProps {
  rows: (readonly [label: string, value: ReactNode])[]
}

/** Facts of one thing, each behind its label. */
export function FactTable({ rows }: FactTableProps) {
  return (
    <Table withRowBorders={false} verticalSpacing={4} horizontalSpacing={0} w="auto">
      <Table.Tbody>
        {rows.map(([label, value]) => (
          <Table.Tr key={label}>
            <Table.Th scope="row" w={110} fw={500} c="dimmed" style={{ verticalAlign: 'top' }}>
              {label}
            </Table.Th>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
