import { Table, Text } from '@mantine/core'
import { formatExact } from '../../lib/format.ts'
import type { SqlAnswer } from './queries.ts'
import { cellText } from './sql-text.ts'

/** Rows that the page shows; downloads have all. */
const maxShown = 500
const maxText = 300

/** The rows of a query. */
export function SqlTable({ answer: { columns, rows } }: { answer: SqlAnswer }) {
  const shown = rows.slice(0, maxShown)
  return (
    <>
      <Table.ScrollContainer
        minWidth={320}
        mah="65vh"
        tabIndex={0}
        role="region"
        aria-label="Rows of the query"
      >
        <Table stickyHeader withTableBorder withColumnBorders verticalSpacing={4} fz="sm">
          <Table.Thead>
            <Table.Tr>
              {columns.map(({ name, type }, i) => (
                <Table.Th key={i}>
                  {name}
                  <Text size="xs" c="dimmed" fw={400} maw={240} truncate title={type}>
                    {type.toLowerCase()}
                  </Text>
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {shown.map((row, i) => (
              <Table.Tr key={i}>
                {columns.map((_, k) => (
                  <Cell key={k} cell={row[k]} />
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {rows.length > maxShown && (
        <Text size="sm" c="dimmed">
          {formatExact(maxShown)} rows are shown. Download all {formatExact(rows.length)}.
        </Text>
      )}
    </>
  )
}

function Cell({ cell }: { cell: unknown }) {
  if (cell === null || cell === undefined)
    return (
      <Table.Td c="dimmed" fs="italic">
        null
      </Table.Td>
    )
  const text = cellText(cell)
  return (
    <Table.Td
      maw={420}
      style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}
      title={text.length > maxText ? text.slice(0, 5000) : undefined}
    >
      {text.length > maxText ? `${text.slice(0, maxText)}…` : text}
    </Table.Td>
  )
}
